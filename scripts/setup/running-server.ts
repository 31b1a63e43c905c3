// Calls the running server of this blog with the API key, or starts one for the duration.
import { makeApp } from '../../backend/app.ts'
import { makeLog } from '../../backend/process/log.ts'
import type { Config, readConfig } from '../../backend/settings/config.ts'
import { SettingError } from '../../backend/settings/setting-definitions.ts'
import { type Call, makeServerCall } from '../admin/server.ts'
import { findPort } from '../processes.ts'

export async function withServer<Result>(
  config: ReturnType<typeof readConfig>,
  work: (call: Call) => Promise<Result>,
): Promise<Result> {
  const runningServer = await findRunningServer(config)
  if (runningServer) return await work(runningServer)
  const port = await findPort()
  const localConfig: Config = { ...config, host: '127.0.0.1', port, hasRateLimits: false }
  const app = await makeApp(localConfig, makeLog('warn'), {
    now: () => new Date(),
    pages: undefined,
    onFatal: (error) => void process.stderr.write(`${String(error)}\n`),
  })
  try {
    await app.listen()
    return await work(await makeServerCall(localConfig, { url: undefined, key: app.apiKey }))
  } finally {
    await app.close({ graceMs: 0 })
  }
}

/** @returns undefined when no server of this blog responds; one with another key is another blog */
async function findRunningServer(config: Config): Promise<Call | undefined> {
  if (config.port === 0) return undefined
  try {
    const call = await makeServerCall(config, { url: undefined, key: undefined })
    await call('GET', '/users?queries[0]=limit(1)')
    return call
  } catch (error) {
    if (error instanceof SettingError) return undefined
    throw error
  }
}
