// Settings that are kept in a file of the data folder, under what the environment says: lines of
// `NAME=value` with comments, as in a file for `node --env-file`. Pure: knows texts, no files.
import { parseEnv } from 'node:util'
import { type Env, isKnown, type Name, SettingError } from './setting-definitions.ts'

export const SETTINGS_FILE = 'settings.env'

const HEAD = `# Settings of this blog. The server reads them when it starts; what an environment variable says goes
# before them. "npm run setup" asks for those below; any other of docs/settings.md may be added.
`
const COMMENTS: Partial<Record<Name, string>> = {
  BLOG_SITE_NAME: '# The name of the blog.',
  BLOG_READING:
    '# Who may read the list of posts, and what leads to them: members (signed-in people) or everyone.',
}
const QUOTES = ["'", '`', '"']

/**
 * What the environment says, and where it says nothing, the file.
 *
 * @param path names the file in messages
 * @throws SettingError for a name that is no setting, or that the file cannot hold
 */
export function withSettingsFile(env: Env, text: string, path: string): Env {
  const merged: Record<string, string | undefined> = { ...env }
  for (const [name, value] of Object.entries(parseEnv(text))) {
    const base = name.replace(/_FILE$/, '')
    if (!isKnown(base)) throw new SettingError(`${name} in ${path} is no setting`)
    if (base === 'BLOG_DATA_DIR')
      throw new SettingError(`${name} cannot be set in ${path}, which is in that folder`)
    if (!env[base] && !env[`${base}_FILE`]) merged[name] = value
  }
  return merged
}

/**
 * The text of a settings file with these settings changed or added; every other line stays.
 *
 * @throws SettingError for a value that no quotes can hold
 */
export function changeSettingsFile(text: string, changes: Partial<Record<Name, string>>): string {
  let lines = (text || HEAD).trimEnd().split('\n')
  for (const [name, value] of Object.entries(changes) as [Name, string][]) {
    const line = `${name}=${quoted(name, value)}`
    const isOwn = (one: string) => new RegExp(`^\\s*(?:export\\s+)?${name}\\s*=`).test(one)
    const at = lines.findLastIndex(isOwn)
    if (at === -1) lines.push('', ...[COMMENTS[name] ?? []].flat(), line)
    else lines = lines.with(at, line).filter((one, index) => index === at || !isOwn(one))
  }
  return `${lines.join('\n')}\n`
}

function quoted(name: Name, value: string): string {
  if (/^[\w./:@-]+$/.test(value)) return value
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(value))
    throw new SettingError(`${name}: line breaks and control characters cannot be kept`)
  // In some quotes some backslashes and quotes would come back as something else.
  const found = QUOTES.map((one) => `${one}${value}${one}`).find(
    (text) => parseEnv(`${name}=${text}`)[name] === value,
  )
  if (!found)
    throw new SettingError(
      `${name}: a name with all of ' \` and ", or two of them and a backslash, cannot be kept`,
    )
  return found
}
