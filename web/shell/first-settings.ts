// What the settings show first of the parts that load: each by itself, so that one that fails asks
// again in the browser.
import type { Session } from '#contract/accounts.ts'
import type { OwnFiles } from '#contract/files.ts'
import { listSessions } from '../accounts/account-changes-api.ts'
import { listWays, type SignInWay } from '../accounts/sign-in-ways.ts'
import type { Api } from '../api/client.ts'
import { type Result, resultOf, succeed } from '../api/result.ts'
import { listOwnFiles } from '../files/own-files-api.ts'

/** A part that failed is missing. */
export type FirstSettings = {
  sessions?: Session[]
  ways?: SignInWay[]
  files?: OwnFiles
}

export async function loadSettings(api: Api): Promise<Result<FirstSettings>> {
  const [sessions, ways, files] = await Promise.all([
    resultOf(listSessions(api)),
    resultOf(listWays(api)),
    resultOf(listOwnFiles(api, { isUnused: false, cursor: '' })),
  ])
  return succeed({
    ...(sessions.ok && { sessions: sessions.value }),
    ...(ways.ok && { ways: ways.value }),
    ...(files.ok && { files: files.value }),
  })
}
