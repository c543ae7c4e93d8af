/** What other packages may use of the server. */
export { AppError } from './core/app-error.ts'
export { AgentManager } from './core/sessions/agent-manager.ts'
export { type DiagnoseOptions, type Diagnosis, diagnose } from './diagnose.ts'
export { type RunningServer, type StartServerOptions, startServer } from './start-server.ts'
export { faultText, type ModuleFault, type ModuleReport } from './tool-host/module-report.ts'
export { type OfferedTool, type OpenToolFolder, openToolFolder } from './tool-host/open-tool-folder.ts'
export { version } from './version.ts'
