import { text, thinking } from '../block.ts'
import { apiError, type Reply, reply } from '../reply.ts'
import { callAnyTool } from './any-tool.ts'
import { askQuestion, startSubagent } from './asking.ts'
import { type Exchange, say } from './exchange.ts'
import { callHostTool, serverInfo, sessionDetails, setConfig } from './host-tools.ts'
import { plan, toDoList } from './planning.ts'
import { INTRODUCTION, LONG_ANSWER, SUGGESTIONS, THOUGHTS } from './texts.ts'
import { listFiles, readFile, runCommand, writeFile } from './workspace-tools.ts'

interface Rule {
  pattern: RegExp
  answer: (exchange: Exchange, match: RegExpExecArray) => Reply
}

const PLEASE = String.raw`^(?:(?:please|now|can you|could you|then)\s+)*`

/** Set off by how the message begins, or by all of it. Never by a command quoted somewhere in a text. */
const COMMANDS: Rule[] = [
  {
    pattern: new RegExp(`${PLEASE}call\\s+([\\w.-]+(?:\\s+[\\w.-]+)?)\\s*(\\{[\\s\\S]*\\})?$`, 'i'),
    answer: callAnyTool,
  },
  {
    pattern: new RegExp(
      `${PLEASE}(?:write|create)\\s+[\`"']?([^\\s:\`"']+)[\`"']?\\s*:\\s*([\\s\\S]+)$`,
      'i',
    ),
    answer: writeFile,
  },
  {
    pattern: new RegExp(
      `${PLEASE}read\\s+(?:the\\s+)?(?:file\\s+)?(\`[^\`\\n]+\`|"[^"\\n]+"|[^\\s"\`]+)\\s*$`,
      'i',
    ),
    answer: readFile,
  },
  { pattern: /^(?:please\s+)?(?:list|show)\s+(?:me\s+)?(?:the\s+|all\s+)*files\b|^ls$/i, answer: listFiles },
  {
    pattern: /^what(?:['’]s|\s+is)\s+in\s+(?:this|the)\s+(?:folder|directory|workspace)\s*\??$/i,
    answer: listFiles,
  },
  { pattern: /^(?:\S+\s+){0,3}sub-?agents?\b/i, answer: startSubagent },
  {
    pattern: new RegExp(
      `${PLEASE}(?:(?:run|execute)\\s*:?\\s*)?(\`\`\`[^\`]+\`\`\`|\`[^\`\\n]+\`)(?:\\s*please)?[.!?]?$`,
      'i',
    ),
    answer: runCommand,
  },
  {
    pattern: new RegExp(`${PLEASE}(?:run|execute)\\s*:?\\s+([^\`\\s][^\\n]{0,1000})$`, 'i'),
    answer: runCommand,
  },
]

const host = (name: string, sentence: string) => (exchange: Exchange) =>
  callHostTool(exchange, { name, report: sentence })

/** Set off by a word anywhere in the message, in this order. */
const KEYWORDS: Rule[] = [
  { pattern: /\bset\s+(?:the\s+)?config\w*\s+([\w.-]+)\s*(?:=|\bto\b)\s*(\S[^\n]*)$/i, answer: setConfig },
  { pattern: /\bping\b/i, answer: host('ping', 'DorkOS answered the ping:') },
  {
    pattern:
      /\bsession\s+(?:details|info)\b(?:\s+(?:of|for))?\s*([\w-]*)|\bdetails\s+of\s+(?:session\s+)?([\w-]+)/i,
    answer: (exchange, match) => sessionDetails(exchange, match[1] || match[2] || ''),
  },
  {
    pattern: /\bhow many sessions\b|\bsession count\b|\bcount (?:the |my )?sessions\b/i,
    answer: host('get_session_count', 'The server counted:'),
  },
  {
    pattern: /\b(?:active|live|running) sessions\b/i,
    answer: host('list_active_sessions', 'These sessions are active:'),
  },
  {
    pattern: /\b(?:list|show)\b.*\bsessions\b|^sessions$/i,
    answer: host('list_sessions', 'The server knows these sessions:'),
  },
  { pattern: /\bserver info\b|\b(?:version|uptime)\b/i, answer: serverInfo },
  { pattern: /\bconfig(?:uration)?\b/i, answer: host('get_config', 'This is the configuration:') },
  { pattern: /\b(?:costs?|spent|spending)\b/i, answer: host('get_costs', 'The ledger says:') },
  { pattern: /\bask me\b|\bquestion\b/i, answer: askQuestion },
  { pattern: /\bplan\b/i, answer: plan },
  { pattern: /\bto-?do\b/i, answer: toDoList },
  { pattern: /\bthink\b/i, answer: think },
  {
    pattern: /\bstream\b|\blong\b/i,
    answer: () => reply([LONG_ANSWER], { deltaSize: 12, deltaDelayMs: 10 }),
  },
  {
    pattern: /\berror\b/i,
    answer: failOnce,
  },
  {
    pattern: /^(?:hi|hello|hey|help|good (?:morning|day|evening)|who are you|what can you do)\b/i,
    answer: () => say(`Hello! ${INTRODUCTION}\n\n${SUGGESTIONS}`),
  },
]

/** Words in a longer text are about something else. */
const KEYWORD_LIMIT = 200

/** The answer to what was said last, as far as it has come. */
export function answerByRule(exchange: Exchange): Reply {
  const rules = exchange.said.length <= KEYWORD_LIMIT ? [...COMMANDS, ...KEYWORDS] : COMMANDS
  for (const { pattern, answer } of rules) {
    const match = pattern.exec(exchange.said)
    if (match !== null) return answer(exchange, match)
  }
  return say(echo(exchange.said))
}

function failOnce(exchange: Exchange): Reply {
  if (exchange.isFirstAttempt()) return apiError(529)
  return say('My first answer was an error (overloaded), so the CLI asked again. All is well.')
}

function think(): Reply {
  return reply(
    [thinking(THOUGHTS), text('I have thought about it, as far as rules can think. Anything else?')],
    {
      deltaSize: 8,
      deltaDelayMs: 5,
    },
  )
}

function echo(said: string): string {
  const line = said.replaceAll(/\s+/g, ' ').trim()
  const heard = line.length > 120 ? `${line.slice(0, 120)}…` : line
  const opening = heard === '' ? 'I got an empty message.' : `You said: “${heard}”`
  return `${opening}\n\n${INTRODUCTION}\n\n${SUGGESTIONS}`
}
