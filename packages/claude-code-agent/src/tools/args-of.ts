/** The ways to declare what a tool takes, and the type of `args` that each of them gives the handler. */

export type SimpleType = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array'

/** Field name to type word; a trailing `?` makes the field optional: `{ a: 'number', note: 'string?' }`. */
export type SimpleSchema = { readonly [field: string]: SimpleType | `${SimpleType}?` }

/** A JSON Schema (draft 2020-12) of an object; the keywords that make sense at its top level. */
export interface JsonSchema {
  readonly $schema?: string
  readonly $id?: string
  readonly $ref?: string
  readonly $defs?: object
  readonly $comment?: string
  readonly definitions?: object
  readonly type?: string | readonly string[]
  readonly title?: string
  readonly description?: string
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly properties?: object
  readonly required?: readonly string[]
  readonly additionalProperties?: unknown
  readonly patternProperties?: object
  readonly propertyNames?: unknown
  readonly unevaluatedProperties?: unknown
  readonly dependentRequired?: object
  readonly dependentSchemas?: object
  readonly minProperties?: number
  readonly maxProperties?: number
  readonly not?: unknown
  readonly if?: unknown
  readonly then?: unknown
  readonly else?: unknown
}

/**
 * Any schema of the Standard Schema interface: Zod 4 and others. Structural on purpose, so that these types
 * need no schema library.
 */
export interface StandardSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => unknown
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined
  }
}

/** A Zod shape: field name to schema. */
export type SchemaShape = { readonly [field: string]: StandardSchema }

export type ToolInputSchema = SimpleSchema | SchemaShape | StandardSchema | JsonSchema

/** The type of `args` for a schema: what the handler gets once defaults and transforms were applied. */
export type ArgsOf<S> =
  S extends StandardSchema<infer Output>
    ? Output
    : string extends keyof S
      ? Record<string, unknown>
      : S extends { readonly type: 'object' }
        ? FromJsonSchema<S>
        : S extends SimpleSchema
          ? SimpleArgs<S>
          : S extends SchemaShape
            ? ShapeArgs<S>
            : S extends { readonly type?: string }
              ? Record<string, unknown>
              : FromJsonSchema<S & { readonly type: 'object' }>

interface SimpleTypes {
  string: string
  number: number
  integer: number
  boolean: boolean
  object: Record<string, unknown>
  array: unknown[]
}

type Word<W> = W extends `${infer T}?` ? Word<T> : W extends keyof SimpleTypes ? SimpleTypes[W] : never

type SimpleArgs<S> = Flat<
  { -readonly [K in keyof S as S[K] extends `${string}?` ? never : K]: Word<S[K]> } & {
    -readonly [K in keyof S as S[K] extends `${string}?` ? K : never]?: Word<S[K]>
  }
>

type OutputOf<S> = S extends StandardSchema<infer Output> ? Output : never

/** Zod says itself which keys its objects leave out; for other libraries a key that may be undefined counts. */
type IsOptionalField<S> = S extends { readonly _zod: infer Z }
  ? Z extends { readonly optout: 'optional' }
    ? true
    : false
  : undefined extends OutputOf<S>
    ? true
    : false

type ShapeArgs<S> = Flat<
  { -readonly [K in keyof S as IsOptionalField<S[K]> extends true ? never : K]: OutputOf<S[K]> } & {
    -readonly [K in keyof S as IsOptionalField<S[K]> extends true ? K : never]?: OutputOf<S[K]>
  }
>

type FromJsonSchema<S> = S extends { readonly const: infer C }
  ? C
  : S extends { readonly enum: readonly (infer E)[] }
    ? E
    : S extends { readonly type: infer T }
      ? FromTypedSchema<S, T>
      : unknown

type FromTypedSchema<S, T> = T extends 'string'
  ? string
  : T extends 'number' | 'integer'
    ? number
    : T extends 'boolean'
      ? boolean
      : T extends 'null'
        ? null
        : T extends 'array'
          ? S extends { readonly items: infer I }
            ? FromJsonSchema<I>[]
            : unknown[]
          : T extends 'object'
            ? S extends { readonly properties: infer P }
              ? FromProperties<P, S>
              : Record<string, unknown>
            : unknown

type RequiredKeys<S> = S extends { readonly required: readonly (infer R)[] }
  ? string extends R
    ? never
    : R
  : never

type FromProperties<P, S> = string extends keyof P
  ? Record<string, unknown>
  : Flat<
      { -readonly [K in keyof P as K extends RequiredKeys<S> ? K : never]: FromJsonSchema<P[K]> } & {
        -readonly [K in keyof P as K extends RequiredKeys<S> ? never : K]?: FromJsonSchema<P[K]>
      }
    >

type Flat<T> = { [K in keyof T]: T[K] } & {}
