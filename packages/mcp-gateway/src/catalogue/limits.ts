/** How much of a server's catalogue is taken. Lengths are UTF-16 code units. */
export const MAX_TOOLS = 500
export const MAX_RESOURCES = 2_000
export const MAX_RESOURCE_TEMPLATES = 500
export const MAX_PROMPTS = 500
export const MAX_NAME_LENGTH = 128
export const MAX_TITLE_LENGTH = 256
export const MAX_DESCRIPTION_LENGTH = 8 * 1024
export const MAX_INSTRUCTIONS_LENGTH = 16 * 1024
export const MAX_URI_LENGTH = 4 * 1024
/** Of one field as JSON, a schema among them. */
export const MAX_FIELD_LENGTH = 64 * 1024
/** Of all that is taken, as JSON: a list that is sent to the model with every request. */
export const MAX_CATALOGUE_LENGTH = 8 * 1024 * 1024
export const MAX_FAULTS = 100
/** Of a name or text that a fault quotes. */
export const MAX_QUOTE_LENGTH = 80
