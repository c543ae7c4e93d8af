/** Rules: those of the store, which people make and revoke, and those of the configuration, which are read only. */
import { randomBytes } from 'node:crypto'
import { type Config, type Rule, type Saying, say } from '@dorkos/shared'
import { type Actor, ownerPrincipal } from '../actor.ts'
import { AppError } from '../app-error.ts'
import type { PublishServer } from '../events/event-hub.ts'
import { type Clock, isoTime } from '../ports/clock.ts'
import type { RuleStore } from '../ports/records.ts'
import type { RuleService } from '../services.ts'
import type { Audit } from './audit.ts'
import type { AnsweredRule } from './proposed-rule.ts'
import { canBeAllowedByRule } from './tool-names.ts'

export interface Rules extends RuleService {
  /** All that hold now for somebody's sessions. In memory: cheap enough for every tool call. */
  active(principal: string): Promise<readonly Rule[]>
  /** Another process may have changed them. */
  reread(): void
  /** The rule that an answer makes, under the id that the answer's record names. */
  createFromAnswer(actor: Actor, rule: AnsweredRule & { id: string }): Promise<Rule>
}

export interface RulesDeps {
  store: RuleStore
  audit: Audit
  clock: Clock
  config: () => Pick<Config, 'rules'>
  publish: PublishServer
}

export function newRuleId(): string {
  return `rule_${randomBytes(10).toString('hex')}`
}

export function createRules({ store, audit, clock, config, publish }: RulesDeps): Rules {
  const startedAt = isoTime(clock.now())
  let cached: Promise<readonly Rule[]> | undefined

  const stored = (): Promise<readonly Rule[]> => {
    if (cached) return cached
    const loading = store.list({ principal: null, revoked: false })
    cached = loading
    loading.catch(() => {
      if (cached === loading) cached = undefined
    })
    return loading
  }
  const changed = ({ principal }: Actor) => {
    cached = undefined
    publish({ type: 'rules_changed', time: isoTime(clock.now()) }, principal)
  }
  const configured = () => rulesOfConfiguration(config().rules, startedAt)

  const add = async (
    actor: Actor,
    rule: AnsweredRule & Pick<Rule, 'id' | 'effect' | 'origin'>,
  ): Promise<Rule> => {
    checkRule(rule)
    const made: Rule = {
      ...rule,
      principal: actor.principal,
      created_at: isoTime(clock.now()),
    }
    await audit.record(actor, 'rule_created', made)
    try {
      await store.create(made)
    } finally {
      changed(actor)
    }
    return made
  }

  return {
    reread() {
      cached = undefined
    },
    active: async (principal) => [...configured(), ...(await stored()).filter(isOf(principal))],
    list: async ({ principal }, revoked) => [...configured(), ...(await store.list({ principal, revoked }))],
    create: (actor, { effect, tool, match, scope }) =>
      add(actor, {
        id: newRuleId(),
        effect,
        tool,
        ...(match !== undefined && { match }),
        scope,
        origin: 'api',
      }),
    createFromAnswer: (actor, rule) => add(actor, { effect: 'allow', ...rule, origin: 'approval' }),

    async change(actor, id, change) {
      const before = await findStored(store, actor, id)
      const { effect, tool, match, scope } = change
      const fields = {
        ...(effect !== undefined && { effect }),
        ...(tool !== undefined && { tool }),
        ...(match !== undefined && { match }),
        ...(scope !== undefined && { scope }),
      }
      checkChange(before, { ...before, ...fields })
      await audit.record(actor, 'rule_changed', { rule_id: id, before, change: fields })
      try {
        const rule = await store.change(id, fields)
        if (!rule) throw noSuchRule()
        return rule
      } finally {
        changed(actor)
      }
    },

    async revoke(actor, id) {
      const { effect, tool, match } = await findStored(store, actor, id)
      if (effect !== 'allow' && !actor.scopes.includes('admin')) {
        throw new AppError('forbidden', say('admin_needed_to_revoke'), {
          details: { needs: 'admin', has: actor.scopes },
        })
      }
      await audit.record(actor, 'rule_revoked', { rule_id: id, effect, tool, match })
      try {
        if (!(await store.revoke(id, isoTime(clock.now())))) throw noSuchRule()
      } finally {
        changed(actor)
      }
    },
  }
}

/** In the order of the file, with the ids `config_1`, `config_2`, … */
export function rulesOfConfiguration(entries: Config['rules'], since: string): Rule[] {
  return entries.map(({ effect, tool, match, workspace }, index) => ({
    id: `config_${index + 1}`,
    effect,
    tool,
    ...(match !== undefined && { match }),
    pattern: true,
    scope: workspace === undefined ? { kind: 'everywhere' } : { kind: 'workspace', workspace_id: workspace },
    origin: 'configuration',
    principal: ownerPrincipal,
    created_at: since,
  }))
}

/** A rule that could never do what it seems to say is refused. */
function checkRule({ effect, tool }: Pick<Rule, 'effect' | 'tool'>): void {
  if (tool.includes('*')) {
    throw refused('tool', say('rule_with_pattern'))
  }
  if (effect === 'allow' && !canBeAllowedByRule(tool)) {
    throw refused('effect', say('rule_asked_each_time', { tool }))
  }
}

/** What a person chose on a card stays what the card said. */
function checkChange(before: Rule, after: Rule): void {
  checkRule(after)
  const isOther = after.tool !== before.tool || after.match !== before.match
  if (isOther && (before.fields || before.prefix)) {
    throw refused('match', say('rule_of_answer_fixed'))
  }
  if (before.prefix && after.effect !== 'allow') {
    throw refused('effect', say('rule_only_allows'))
  }
}

function refused(path: string, saying: Saying): AppError {
  return new AppError('invalid_request', saying, { details: [{ path, message: saying.message }] })
}

const isOf = (principal: string) => (rule: Rule) => rule.principal === principal

async function findStored(store: RuleStore, actor: Actor, id: string): Promise<Rule> {
  if (id.startsWith('config_')) throw new AppError('conflict', say('rule_in_configuration'))
  const rule = await store.get(id)
  if (rule?.principal !== actor.principal || rule.revoked_at !== undefined) throw noSuchRule()
  return rule
}

function noSuchRule(): AppError {
  return new AppError('not_found', say('rule_not_found'))
}
