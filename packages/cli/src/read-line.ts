import type { InputStream } from './context.ts'

/** The next line of standard input, without its end; empty where none comes, or one past `longest` bytes. What follows it stays there. */
export function readLine(stdin: InputStream, longest: number): Promise<string> {
  return new Promise((resolve, reject) => {
    let read = Buffer.alloc(0)
    const done = (line: Buffer, rest?: Buffer) => {
      stdin.off('readable', take)
      stdin.off('end', atEnd)
      stdin.off('error', reject)
      stdin.pause()
      if (rest && rest.length > 0) stdin.unshift(rest)
      resolve(line.toString('utf8'))
    }
    const atEnd = () => done(read)
    const take = () => {
      for (let chunk = stdin.read(); chunk !== null; chunk = stdin.read()) {
        read = Buffer.concat([read, Buffer.from(chunk)])
        const end = read.indexOf('\n')
        if (end !== -1) return done(read.subarray(0, end), read.subarray(end + 1))
        if (read.length > longest) return done(Buffer.alloc(0))
      }
    }
    // An end that was emitted before is not emitted again.
    if ('readableEnded' in stdin && stdin.readableEnded === true) return resolve('')
    stdin.on('readable', take)
    stdin.on('end', atEnd)
    stdin.on('error', reject)
  })
}
