// The calls of operators (api.md §15.20), which the client package has no method for.
import type { SiteValueName, SiteValues } from '#contract/site-settings.ts'
import { type Api, type Result, resultOf } from '../api/client.ts'

/** `fixed` values are set on the server and can only be changed there. */
export type FoundValues = SiteValues & { fixed: SiteValueName[] }

function call<Value>(
  { client }: Api,
  method: 'get' | 'post' | 'patch' | 'delete',
  path: string,
  values: Record<string, unknown> = {},
): Promise<Result<Value>> {
  const address = new URL(`${client.config.endpoint}${path}`)
  return resultOf(client.call(method, address, { 'content-type': 'application/json' }, values))
}

export function readValues(api: Api): Promise<Result<FoundValues>> {
  return call(api, 'get', '/site')
}

export function changeValues(api: Api, changes: Partial<SiteValues>): Promise<Result<FoundValues>> {
  return call(api, 'patch', '/site', changes)
}
