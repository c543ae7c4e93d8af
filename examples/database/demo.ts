import { type Script, toolUse } from '@dorkos/testkit'

const sql =
  'SELECT DISTINCT name FROM customers JOIN open_orders ON customer_id = customers.id WHERE euros > ? ORDER BY name'

/** Tries to cheat first, is refused, then asks properly. */
export const script: Script = ({ toolResults: [result] }) => {
  if (!result) return toolUse('mcp__db__query', { sql: "UPDATE orders SET status = 'paid'" })
  if (result.isError) return toolUse('mcp__db__query', { sql, params: [100] })
  const names = (JSON.parse(result.text) as { name: string }[]).map(({ name }) => name)
  return `Open orders above 100 euros: ${names.join(' and ')}.`
}
