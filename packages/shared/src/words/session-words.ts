/** About sessions, their messages and their processes. */
export const sessionWords = {
  output_schema_invalid: ({ fault }: { fault: string }) => `The output schema can’t be used: ${fault}.`,
  session_not_found: ({ id }: { id: string }) => `There’s no session ${id}.`,
  session_deleting: 'The session is being deleted.',
  session_closing: 'The session is closing.',
  session_elsewhere: 'Another server is running this session.',
  session_moved: 'Another server is running this session now.',
  session_owner_failed: 'The server running this session failed. Its log says why.',
  session_owner_silent:
    'The server running this session isn’t responding. Try again. If it’s gone, another takes over within a minute.',
  owner_request_unknown: 'The server running this session doesn’t know this request.',
  session_not_running: 'The session’s process isn’t running. Start the session first.',
  session_of_demo: 'This session used the demo model and can’t continue with a real one.',
  session_not_for_demo: 'The demo model can’t continue a real session. Set up credentials first.',
  session_in_terminal:
    'Claude Code is using this session in a terminal. Fork the session, or quit Claude Code there.',
  session_without_directory: 'The transcript doesn’t say which directory it belongs to.',
  session_directory_moved: ({ path, target }: { path: string; target: string }) =>
    `${path} now leads to ${target}, and the session can’t continue in another directory.`,
  session_was_in_container:
    'This session’s workspace ran in a container and was removed, and the session can’t continue outside one.',
  session_was_outside_container:
    'This session started outside the container that its workspace runs in now, so it can’t continue. Start a new one.',
  server_stopping: 'The server is stopping.',
  server_stopping_unaccepted: 'The server is stopping, so the message wasn’t accepted.',
  cli_ended_at_start: 'The CLI exited right after it started.',
  cli_words: ({ text }: { text: string }) => text,
  hooks_unprompted: 'Hooks in this workspace would run before anyone sends a message.',

  resend_not_last:
    'Only the last message can be resent in place. To continue from an earlier one, fork the session.',
  resend_without_text: 'This message has no text to resend.',
  fork_message_missing: 'Give the message that the fork ends before, as `message_id`.',
  message_not_found: 'There’s no such message in this session.',
  message_cleared: 'The conversation was cleared around this message. Send a new one instead.',
  message_before_gone: 'The message it would go before is no longer queued. Check the queue again.',
  message_settled: 'This message doesn’t need a decision.',
  message_not_waiting: 'This message is no longer queued.',
  draft_changed: 'The draft was changed on another device.',
  turn_not_found: ({ id }: { id: string }) => `There’s no turn ${id}.`,

  task_without_output: 'There’s no output. Nothing was printed yet, or it’s gone.',
  task_ended: 'This task has already ended.',
  task_not_found: 'This session isn’t running such a task.',
}
