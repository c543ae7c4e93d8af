import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import type { ArgsOf, JsonSchema, StandardSchema } from './args-of.ts'
import type { SdkTool, ToolContext } from './sdk-tool.ts'
import { tool } from './tool.ts'
import { createSdkMcpServer } from './tool-server.ts'

describe('the type of args', () => {
  it('comes from a simple map, with optional fields exactly optional', () => {
    const made = tool({
      name: 'every',
      description: '',
      inputSchema: {
        s: 'string',
        n: 'number',
        i: 'integer',
        b: 'boolean',
        o: 'object',
        a: 'array',
        maybe: 'string?',
        list: 'array?',
      },
      handler: (args, context) => {
        expectTypeOf(args).toEqualTypeOf<{
          s: string
          n: number
          i: number
          b: boolean
          o: Record<string, unknown>
          a: unknown[]
          maybe?: string
          list?: unknown[]
        }>()
        expectTypeOf(context).toEqualTypeOf<ToolContext>()
        return args.s
      },
    })
    expect(made.name).toBe('every')
  })

  it('comes from a Zod shape as z.object would give it', () => {
    const shape = {
      a: z.number(),
      note: z.string().optional(),
      limit: z.number().default(10),
      when: z.string().transform((text) => new Date(text)),
      any: z.unknown(),
    }
    expectTypeOf<ArgsOf<typeof shape>>().toEqualTypeOf<z.output<z.ZodObject<typeof shape>>>()
    tool('zod', '', shape, async (args) => {
      expectTypeOf(args.when).toEqualTypeOf<Date>()
      expectTypeOf(args.limit).toEqualTypeOf<number>()
      expectTypeOf(args).toHaveProperty('note').toEqualTypeOf<string | undefined>()
      return { content: [] }
    })
  })

  it('comes from a Zod object, and from any standard schema', () => {
    const schema = z.object({ a: z.number(), tags: z.array(z.string()).optional() })
    expectTypeOf<ArgsOf<typeof schema>>().toEqualTypeOf<{ a: number; tags?: string[] | undefined }>()
    expectTypeOf<ArgsOf<StandardSchema<{ x: 1 }>>>().toEqualTypeOf<{ x: 1 }>()
  })

  it('comes from JSON Schema written in place, and is open where the schema is not known', () => {
    tool({
      name: 'json',
      description: '',
      inputSchema: {
        type: 'object',
        properties: {
          q: { type: 'string' },
          kind: { enum: ['a', 'b'] },
          ids: { type: 'array', items: { type: 'integer' } },
          where: { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] },
          rest: {},
        },
        required: ['q', 'where'],
      },
      handler: (args) => {
        expectTypeOf(args).toEqualTypeOf<{
          q: string
          where: { x: number }
          kind?: 'a' | 'b'
          ids?: number[]
          rest?: unknown
        }>()
        return ''
      },
    })
    expectTypeOf<ArgsOf<{ type: 'object' }>>().toEqualTypeOf<Record<string, unknown>>()
    expectTypeOf<ArgsOf<JsonSchema>>().toEqualTypeOf<Record<string, unknown>>()
    expectTypeOf<ArgsOf<Record<string, unknown>>>().toEqualTypeOf<Record<string, unknown>>()
  })

  it('is empty for no fields', () => {
    expectTypeOf<keyof ArgsOf<Record<never, never>>>().toEqualTypeOf<never>()
  })
})

describe('tools of different arguments', () => {
  interface Point {
    x: number
  }
  const point: z.ZodType<Point> = z.object({ x: z.number() })

  it('go into one server, those of interface types too', () => {
    const made = tool({
      name: 'point',
      description: '',
      inputSchema: point,
      handler: (args) => String(args.x),
    })
    expectTypeOf(made).toEqualTypeOf<SdkTool<Point>>()
    const server = createSdkMcpServer({ name: 's', tools: [made, tool('none', '', {}, () => 'ok')] })
    server.addTool(tool('more', '', { a: 'number' }, ({ a }) => String(a)))
    expect(server.tools.map((listed) => listed.name)).toEqual(['point', 'none', 'more'])
  })

  it('go into one server, written in place or not', () => {
    const literal: SdkTool = {
      name: 'multiply',
      description: 'Multiply two numbers',
      inputSchema: { a: 'number', b: 'number', deep: 'object?' },
      handler: async (args) => ({ content: [{ type: 'text', text: String(args.a) }] }),
    }
    const typed: SdkTool<{ a: number }> = {
      name: 'double',
      description: '',
      inputSchema: { type: 'object', properties: { a: { type: 'number' } }, minProperties: 1 },
      handler: ({ a }) => String(a * 2),
    }
    const server = createSdkMcpServer({
      name: 's',
      tools: [
        literal,
        typed,
        tool('none', '', {}, () => 'ok'),
        {
          name: 'inline',
          description: '',
          inputSchema: { a: 'number' },
          handler: (args) => {
            expectTypeOf(args).toEqualTypeOf<Record<string, unknown>>()
            return String(args.a)
          },
        },
      ],
    })
    expect(server.tools.map((made) => made.name)).toEqual(['multiply', 'double', 'none', 'inline'])
  })

  it('may return the result type of the MCP SDK', () => {
    const make = async (): Promise<CallToolResult> => ({ content: [{ type: 'text', text: 'hi' }] })
    expect(tool('mcp', '', {}, make).name).toBe('mcp')
  })

  it('rejects at compile time what is no schema', () => {
    expect(() =>
      tool({
        name: 'typo',
        description: '',
        // @ts-expect-error 'strng' is no type word
        inputSchema: { a: 'strng' },
        handler: () => '',
      }),
    ).toThrow("Tool 'typo': inputSchema: field 'a' is 'strng'")
  })
})
