import type { Reply } from '../reply.ts'
import { callTool, type Exchange, offeredTool } from './exchange.ts'
import { report } from './report.ts'

const QUESTION = {
  question: 'What would you like to see next?',
  header: 'Next',
  multiSelect: false,
  options: [
    { label: 'A tool call', description: 'Say "ping", and the agent calls a tool of the server' },
    { label: 'A long answer', description: 'Say "stream", and watch a long text arrive' },
  ],
}

export function askQuestion(exchange: Exchange): Reply {
  return callTool(exchange, {
    name: 'AskUserQuestion',
    input: { questions: [QUESTION] },
    announce: 'I have a question for you.',
    report: (call) => {
      const chosen = /"="((?:[^"\\]|\\.)*)"/.exec(call.result?.text ?? '')?.[1]
      return chosen === undefined ? report(call, 'You answered:') : `You chose **${chosen}**.`
    },
  })
}

export function startSubagent(exchange: Exchange): Reply {
  const name = offeredTool(exchange, 'Agent') === undefined ? 'Task' : 'Agent'
  return callTool(exchange, {
    name,
    input: {
      description: 'Demo subagent',
      prompt: 'Greet the person in one sentence.',
      subagent_type: 'general-purpose',
      // Otherwise it runs in the background, and the turn ends before it does.
      ...(name === 'Agent' && { run_in_background: false }),
    },
    announce: 'I start a subagent.',
    report: 'The subagent has ended. It handed back:',
  })
}
