/** About sessions, their messages and their processes. */
export const sessionWords = {
  output_schema_invalid: ({ fault }: { fault: string }) => `The output schema can’t be used: ${fault}.`,
  session_not_found: ({ id }: { id: string }) => `There is no session ${id}.`,
  session_deleting: 'The session is being deleted.',
  session_closing: 'The session is being closed.',
  session_elsewhere: 'Another server runs this session.',
  session_moved: 'Another server runs this session now.',
  session_owner_failed: 'The server that runs this session failed; its log says why.',
  session_owner_silent:
    'The server that runs this session does not answer. Try again: if it is gone, another takes over within a minute.',
  owner_request_unknown: 'No owner of a session does this.',
  session_not_running: 'The session’s process is not running. Start the session first.',
  session_of_demo: 'This session was held with the demo model and cannot go on with a real one.',
  session_not_for_demo: 'The demo model never goes on with a real session. Set up credentials first.',
  session_in_terminal: 'A Claude Code in a terminal works on this session. Fork it, or end the other one.',
  session_without_directory: 'The transcript does not say which directory it belongs to.',
  session_directory_moved: ({ path, target }: { path: string; target: string }) =>
    `${path} now leads to ${target}; the session cannot go on in another directory.`,
  session_was_in_container:
    'The workspace of this session ran in a container and was removed; the session cannot go on outside of one.',
  session_was_outside_container:
    'This session was held outside of the container that its workspace runs in now, and cannot go on in it. Start a new one.',
  server_stopping: 'The server is stopping.',
  server_stopping_unaccepted: 'The server is stopping; the message was not accepted.',
  cli_ended_at_start: 'The CLI ended right after its start.',
  cli_words: ({ text }: { text: string }) => text,
  hooks_unprompted: 'Hooks of this workspace would run before anybody says anything.',

  resend_not_last:
    'Only the last message can be sent again in its place. Fork the session to go on from an earlier one.',
  resend_without_text: 'This message has no text to send again.',
  fork_message_missing: 'Name the message that the fork ends before.',
  message_not_found: 'There is no such message in this session.',
  message_cleared: 'The conversation was cleared around this message. Send a new one instead.',
  message_before_gone: 'The message that it should go before no longer waits. Look at the queue again.',
  message_settled: 'This message needs no decision.',
  message_not_waiting: 'This message no longer waits.',
  draft_changed: 'The draft was changed on another device meanwhile.',
  turn_not_found: ({ id }: { id: string }) => `There is no turn ${id}.`,

  task_without_output: 'There is no output to read: nothing was printed yet, or it is gone.',
  task_ended: 'It has ended already.',
  task_not_found: 'Nothing of that name runs for this session.',
}
