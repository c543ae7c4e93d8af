import { createSdkMcpServer, tool } from 'claude-code-agent'

const perKilo: Record<string, number> = { DE: 4, FR: 6, US: 15 }

const quoteShipping = tool({
  name: 'quote_shipping',
  description: `Quotes the price of sending a parcel.
Use it whenever somebody asks what shipping costs. Returns the price in euros as text. Ships to ${Object.keys(perKilo).join(', ')} only, up to 30 kg.`,
  inputSchema: { country: 'string', kilos: 'number' },
  handler({ country, kilos }) {
    const rate = perKilo[country]
    if (rate === undefined) throw new Error(`We do not ship to ${country}`)
    if (kilos <= 0 || kilos > 30)
      throw new Error(`${kilos} kg is outside what we ship: more than 0, up to 30 kg`)
    return `${(rate * kilos).toFixed(2)} EUR`
  },
})

export const shop = createSdkMcpServer({ name: 'shop', tools: [quoteShipping] })
