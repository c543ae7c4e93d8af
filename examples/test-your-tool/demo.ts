import { type Script, toolUse } from '@dorkos/testkit'

export const script: Script = ({ toolResults: [price] }) =>
  price ? `That is ${price.text}.` : toolUse('mcp__shop__quote_shipping', { country: 'FR', kilos: 3 })
