/** One run of one subject. Prints what it measured as one line of JSON. */
const run = JSON.parse(process.argv[2] ?? '')
const { questions } = await import(new URL(`./${run.part}/questions.mjs`, import.meta.url).href)
const question = questions.find((candidate) => candidate.name === run.question)
const sample = await question.subjects[run.subject](run.input)
process.stdout.write(JSON.stringify(sample), () => process.exit(0))
