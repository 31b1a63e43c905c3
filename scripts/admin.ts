// `npm run admin -- users|block|unblock|link|delete [EMAIL]`: the operator's calls to the running
// server, over HTTP with its API key. `--url` names another server than this machine's, `--key`
// another key than the one in the data folder.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Config, readConfig } from '../backend/config.ts'
import { addSecret, MAGIC_URL_PATH } from '../backend/mail-links/secret-links.ts'
import { SettingError } from '../backend/settings/table.ts'
import type { Token, User } from '../contract/accounts.ts'

const USAGE = `npm run admin -- users             list everybody
npm run admin -- block EMAIL       end all sessions and let nobody sign in
npm run admin -- unblock EMAIL     let the person sign in again
npm run admin -- link EMAIL        make a link that signs the person in once, within the hour
npm run admin -- delete EMAIL      delete the account, its posts, likes and files
Options: --url http://localhost:3000  --key KEY`
const LINK_SECONDS = 3600
const PAGE_PEOPLE = 100

type Call = (method: string, path: string, body?: unknown) => Promise<unknown>

const COMMANDS: Readonly<
  Record<string, (call: Call, user: User, config: Config) => Promise<string>>
> = {
  async block(call, { $id, email }) {
    await call('PATCH', `/users/${$id}/status`, { status: false })
    return `${email} is blocked, all sessions have ended.`
  },
  async unblock(call, { $id, email }) {
    await call('PATCH', `/users/${$id}/status`, { status: true })
    return `${email} may sign in again.`
  },
  async link(call, { $id, email }, config) {
    const token = (await call('POST', `/users/${$id}/tokens`, { expire: LINK_SECONDS })) as Token
    const row = { userId: token.userId, expiresAt: new Date(token.expire).toISOString() }
    return `This link signs ${email} in once, within the hour. Hand it to nobody else:\n${addSecret(config.publicUrl + MAGIC_URL_PATH, row, token.secret, config.projectId)}`
  },
  async delete(call, { $id, email }) {
    await call('DELETE', `/users/${$id}`, {})
    return `${email} is deleted.`
  },
}

async function run(): Promise<string> {
  const { values, positionals } = readArgs()
  const [command = '', email = ''] = positionals
  const config = readConfig(process.env)
  const call = makeCall({
    url: values.url ?? localUrl(config),
    key: values.key ?? config.apiKey ?? (await readKey(config)),
    projectId: config.projectId,
  })
  if (command === 'users' && positionals.length === 1) return listPeople(call)
  const work = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined
  if (!work || !email || positionals.length > 2) throw new SettingError(USAGE)
  return work(call, await findPerson(call, email), config)
}

function readArgs() {
  try {
    return parseArgs({
      options: { url: { type: 'string' }, key: { type: 'string' } },
      allowPositionals: true,
    })
  } catch {
    throw new SettingError(USAGE)
  }
}

/** Where the server of the same settings listens. */
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
    const answer = await fetch(`${url}/v1${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch(() => {
      throw new SettingError(`No server answers at ${url}: is the blog running?`)
    })
    const text = await answer.text()
    const found = answer.headers.get('content-type')?.includes('application/json')
      ? (JSON.parse(text) as { message?: string })
      : undefined
    if (answer.ok) return found
    throw new SettingError(`Refused: ${found?.message ?? `status ${answer.status}`}`)
  }
}

async function findPerson(call: Call, email: string): Promise<User> {
  const query = encodeURIComponent(
    JSON.stringify({
      method: 'equal',
      attribute: 'email',
      values: [email.trim().normalize('NFC').toLowerCase()],
    }),
  )
  const { users } = (await call('GET', `/users?queries[0]=${query}`)) as { users: User[] }
  const [user] = users
  if (!user) throw new SettingError(`There is no account with the e-mail ${email}`)
  return user
}

async function listPeople(call: Call): Promise<string> {
  const lines = ['E-MAIL\tNAME\tSINCE\tSTATE']
  for (let last = ''; ; ) {
    const queries = [`limit(${PAGE_PEOPLE})`, ...(last ? [`cursorAfter("${last}")`] : [])]
    const query = queries
      .map((one, index) => `queries[${index}]=${encodeURIComponent(one)}`)
      .join('&')
    const { users } = (await call('GET', `/users?${query}`)) as { users: User[] }
    for (const { email, name, registration, status, emailVerification } of users) {
      const state = [
        status ? 'active' : 'blocked',
        ...(emailVerification ? ['confirmed'] : []),
      ].join(', ')
      lines.push([email, name || '-', registration.slice(0, 10), state].join('\t'))
    }
    last = users.at(-1)?.$id ?? ''
    if (users.length < PAGE_PEOPLE) return lines.join('\n')
  }
}

try {
  process.stdout.write(`${await run()}\n`)
} catch (error) {
  if (!(error instanceof SettingError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
