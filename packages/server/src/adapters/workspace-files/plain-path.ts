/**
 * Whether a name can be shown and typed. Line breaks and control characters could forge what a person or a model reads; so could marks
 * that turn the direction of text. A name that is not UTF-8 cannot be asked for again.
 */
export function isPlainName(name: string): boolean {
  return name !== '' && !/[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffd]/u.test(name)
}
