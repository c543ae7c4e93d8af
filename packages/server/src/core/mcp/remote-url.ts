/** Addresses of remote servers. */

/** Why an address cannot be used, as a sentence without a full stop that does not repeat it: it may hold a secret. */
export function urlFault(url: string): string | undefined {
  // The parser would leave line breaks and tabs out, and what people were shown would not be what is asked.
  if (/[\s\p{C}]/u.test(url)) return 'url holds spaces or control characters'
  if (!URL.canParse(url)) return 'url is not an address; it must begin with https:// or http://'
  const { protocol, username, password } = new URL(url)
  if (protocol !== 'https:' && protocol !== 'http:') return 'url must begin with https:// or http://'
  if (username !== '' || password !== '') {
    return 'url holds a user name or password; send them in headers instead'
  }
  return undefined
}
