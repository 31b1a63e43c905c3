// Parses the settings file of the data folder: lines of `NAME=value` with comments, as for
// `node --env-file`. The environment takes precedence. Pure: no file access.
import { parseEnv } from 'node:util'
import { type Env, isSettingName, SettingError } from './setting-definitions.ts'

export const SETTINGS_FILE = 'settings.env'

/**
 * The environment, with the settings of the file that the environment does not set.
 *
 * @param path names the file in messages
 * @throws SettingError for an unknown setting, or one that cannot be in the file
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
