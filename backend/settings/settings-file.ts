// Settings that are kept in a file of the data folder, under what the environment says: lines of
// `NAME=value` with comments, as in a file for `node --env-file`. Pure: knows texts, no files.
import { parseEnv } from 'node:util'
import { type Env, isSettingName, SettingError } from './setting-definitions.ts'

export const SETTINGS_FILE = 'settings.env'

/**
 * What the environment says, and where it says nothing, the file.
 *
 * @param path names the file in messages
 * @throws SettingError for a name that is no setting, or that the file cannot hold
 */
export function mergeSettingsFile(env: Env, text: string, path: string): Env {
  const merged: Record<string, string | undefined> = { ...env }
  for (const [name, value] of Object.entries(parseEnv(text))) {
    const base = name.replace(/_FILE$/, '')
    if (!isSettingName(base)) throw new SettingError(`${name} in ${path} is no setting`)
    if (base === 'BLOG_DATA_DIR')
      throw new SettingError(`${name} cannot be set in ${path}, which is in that folder`)
    if (!env[base] && !env[`${base}_FILE`]) merged[name] = value
  }
  return merged
}
