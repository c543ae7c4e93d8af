/** About what a session printed and showed, whole. */
export const outputWords = {
  output_message_missing: 'The transcript has no such message: it was deleted, or is not written yet.',
  output_result_missing: 'The transcript has no result of this call: it was deleted, or is not written yet.',
  output_picture_missing: 'It has no such picture, or one of a kind that is not given out.',
  output_line_too_long: ({ bytes }: { bytes: number }) =>
    `The transcript has this in one line of ${bytes} bytes, which is too long to be read.`,
  output_rest_gone: 'The rest of this is gone: the transcript does not have it any more.',
  output_file_gone: ({ file, bytes }: { file: string; bytes: number | undefined }) =>
    `Claude Code kept the whole output${bytes === undefined ? '' : ` (about ${bytes} bytes)`} in a file of its own, ${file}, which is no longer there.`,
  output_cut: ({ kept, bytes }: { kept: number; bytes: number | undefined }) =>
    `Claude Code kept only the first ${kept} bytes${bytes === undefined ? '' : ` of ${bytes}`} of this output.`,
  output_several_missing: ({ parts }: { parts: readonly string[] }) => parts.join(' '),
}
