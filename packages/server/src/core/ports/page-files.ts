/** The built web page, as files that are known by name. */

export type PageEncoding = 'br' | 'gzip' | 'identity'

export interface PageContent {
  bytes: Buffer
  /** Of exactly these bytes, in quotes, as the header has it. */
  etag: string
}

export interface PageFile {
  /** What it is there in; `identity` always. */
  encodings: ReadonlySet<PageEncoding>
  /** From the disk at the first call, and from memory afterwards. Throws `unavailable` when the file is no longer there. */
  read(encoding: PageEncoding): Promise<PageContent>
}

/** By path, as `/assets/main-1a2b.js`: what is not in the map is not served, whatever a request asks for. */
export type PageFiles = ReadonlyMap<string, PageFile>
