/** The plot library with its style sheet, in a file of its own because it is loaded when the first plot is seen. */
import 'uplot/dist/uPlot.min.css'

export { default as uPlot } from 'uplot'
