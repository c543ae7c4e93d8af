/** Every case: what we rely on in the CLI without a document behind it. */
import { backgroundCases } from './areas/background.ts'
import { callResultCases } from './areas/call-results.ts'
import { callCases } from './areas/calls.ts'
import { commandRuleCases } from './areas/command-rules.ts'
import { costCases } from './areas/costs.ts'
import { hookAnswerCases } from './areas/hook-answers.ts'
import { hookOverrideCases } from './areas/hook-overrides.ts'
import { hookCases } from './areas/hooks.ts'
import { hostHookCases } from './areas/host-hooks.ts'
import { launchCases } from './areas/launch.ts'
import { loadingCases } from './areas/loading.ts'
import { messageCases } from './areas/messages.ts'
import { modelCallCases } from './areas/model-calls.ts'
import { outputCases } from './areas/output.ts'
import { permissionCases } from './areas/permissions.ts'
import { pluginCases } from './areas/plugins.ts'
import { policyCases } from './areas/policy.ts'
import { questionCases } from './areas/questions.ts'
import { rootSandboxCases } from './areas/root-sandbox.ts'
import { sandboxCases } from './areas/sandbox.ts'
import { savedOutputCases } from './areas/saved-outputs.ts'
import { seenCallCases } from './areas/seen-calls.ts'
import { serverFileCases } from './areas/server-files.ts'
import { serverCases } from './areas/servers.ts'
import { settingsCases } from './areas/settings.ts'
import { spareCases } from './areas/spares.ts'
import { transcriptCases } from './areas/transcripts.ts'
import { turnCases } from './areas/turns.ts'
import { variableCases } from './areas/variables.ts'
import type { ContractCase } from './case.ts'

export const contractCases: readonly ContractCase[] = [
  ...launchCases,
  ...spareCases,
  ...turnCases,
  ...messageCases,
  ...questionCases,
  ...permissionCases,
  ...commandRuleCases,
  ...callCases,
  ...seenCallCases,
  ...callResultCases,
  ...hostHookCases,
  ...hookAnswerCases,
  ...hookCases,
  ...hookOverrideCases,
  ...policyCases,
  ...settingsCases,
  ...loadingCases,
  ...variableCases,
  ...modelCallCases,
  ...sandboxCases,
  ...rootSandboxCases,
  ...pluginCases,
  ...serverCases,
  ...serverFileCases,
  ...transcriptCases,
  ...savedOutputCases,
  ...costCases,
  ...outputCases,
  ...backgroundCases,
]
