// Calls the running server with its API key. `--url` selects another server than this host's,
// `--key` another key than the one in the data folder.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../backend/settings/config.ts'
import { SettingError } from '../../backend/settings/setting-definitions.ts'

export type Call = (method: string, path: string, body?: unknown) => Promise<unknown>

export async function makeServerCall(
  config: Config,
  options: { url: string | undefined; key: string | undefined },
): Promise<Call> {
  return makeCall({
    url: options.url ?? localUrl(config),
    key: options.key ?? config.apiKey ?? (await readKey(config)),
    projectId: config.projectId,
  })
}

/** The URL at which the server with these settings listens. */
function localUrl({ host, port }: Config): string {
  if (port === 0)
    throw new SettingError('PORT=0 is a different port each time: say which with --url')
  const name = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

async function readKey({ dataDir }: Config): Promise<string> {
  try {
    return (await readFile(join(dataDir, 'api-key'), 'utf8')).trim()
  } catch {
    throw new SettingError(
      `There is no API key in ${dataDir}: start the blog once, set BLOG_DATA_DIR, or say --key`,
    )
  }
}

function makeCall({ url, key, projectId }: { url: string; key: string; projectId: string }): Call {
  return async (method, path, body) => {
    const headers = {
      'x-appwrite-project': projectId,
      'x-appwrite-key': key,
      'content-type': 'application/json',
    }
    const response = await fetch(`${url}/v1${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch(() => {
      throw new SettingError(`No server answers at ${url}: is the blog running?`)
    })
    const text = await response.text()
    const json = response.headers.get('content-type')?.includes('application/json')
      ? (JSON.parse(text) as { message?: string })
      : undefined
    if (response.ok) return json
    throw new SettingError(`Refused: ${json?.message ?? `status ${response.status}`}`)
  }
}

/** The `queries` of a list call, ready to follow a `?`. */
export function queryString(queries: object[]): string {
  return queries
    .map((query, index) => `queries[${index}]=${encodeURIComponent(JSON.stringify(query))}`)
    .join('&')
}
