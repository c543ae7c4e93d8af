/** The profile files port: Markdown files of one folder, each a profile. */

/** Where profiles are. Made with the first that is written. */
export interface ProfileFolder {
  path: string
  /** Links may not lead out of it. */
  within: string
}

export interface ProfileFile {
  /** Without `.md`. */
  name: string
  /** Absolute, without links. */
  file: string
  changedAt: number
  /** Undefined where it cannot be read: `fault` says why. */
  text: string | undefined
  fault?: string
}

export interface ProfileFiles {
  /** By name; bounded. Never throws: a folder that is not there has none. */
  list(folder: ProfileFolder): Promise<ProfileFile[]>
  read(folder: ProfileFolder, name: string): Promise<ProfileFile | undefined>
  /** A file in the folder, by its path there; undefined for all that is no plain text file below it. */
  readBeside(folder: ProfileFolder, path: string): Promise<string | undefined>
  /** Whole, or not at all. Throws `AppError` where it cannot be written. */
  write(folder: ProfileFolder, name: string, text: string): Promise<void>
  /** False when there is none. */
  remove(folder: ProfileFolder, name: string): Promise<boolean>
}
