/** What the core logs to: a constant message with fields. Prompts and tool text are logged at debug only, secrets never. */
export interface Logger {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}
