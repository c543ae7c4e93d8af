/** About what a session printed and showed, whole. */
export const outputWords = {
  output_message_missing:
    'The transcript doesn’t have this message. It was deleted, or hasn’t been written yet.',
  output_result_missing:
    'The transcript doesn’t have this call’s result. It was deleted, or hasn’t been written yet.',
  output_picture_missing: 'There’s no such image here, or it’s of a type that DorkOS doesn’t serve.',
  output_line_too_long: ({ bytes }: { bytes: number }) =>
    `The transcript has this in a single line of ${bytes} bytes, which is too long to read.`,
  output_rest_gone: 'The rest is gone. The transcript no longer has it.',
  output_file_gone: ({ file, bytes }: { file: string; bytes: number | undefined }) =>
    `Claude Code saved the full output${bytes === undefined ? '' : ` (about ${bytes} bytes)`} in a separate file, ${file}, which no longer exists.`,
  output_cut: ({ kept, bytes }: { kept: number; bytes: number | undefined }) =>
    `Claude Code kept only the first ${kept} bytes${bytes === undefined ? ' of this output' : ` of this output’s ${bytes}`}.`,
  output_several_missing: ({ parts }: { parts: readonly string[] }) => parts.join(' '),
}
