import { expect, test } from 'vitest'
import { readConfig, readEnvironment } from './config.ts'
import { SettingError } from './setting-definitions.ts'
import { mergeSettingsFile } from './settings-file.ts'

const FILE = `# by hand
BLOG_SITE_NAME='From the file'
BLOG_READING=everyone
`

test('the environment, even by a NAME_FILE, takes precedence over the file, and empty counts as unset', () => {
  expect(mergeSettingsFile({}, FILE, 'settings.env')).toMatchObject({
    BLOG_SITE_NAME: 'From the file',
    BLOG_READING: 'everyone',
  })
  const env = { BLOG_SITE_NAME: 'Mine', BLOG_READING: '' }
  expect(mergeSettingsFile(env, FILE, 'settings.env')).toEqual({ ...env, BLOG_READING: 'everyone' })
  const named = { BLOG_SITE_NAME_FILE: '/run/name' }
  expect(mergeSettingsFile(named, FILE, 'settings.env')).not.toHaveProperty('BLOG_SITE_NAME')
})

test.each(['BLOG_READNIG=everyone', 'PATH=/bin', 'BLOG_DATA_DIR=/elsewhere'])(
  'a file with %s is refused by name',
  (line) => {
    const name = line.split('=')[0] ?? ''
    const read = () => mergeSettingsFile({}, line, '/data/settings.env')
    expect(read).toThrow(SettingError)
    expect(read).toThrow(`${name}`)
  },
)

test('every command reads the file of its data folder; without one nothing changes', () => {
  const readPaths: string[] = []
  const environment = readEnvironment({ BLOG_DATA_DIR: '/srv/blog' }, (path) => {
    readPaths.push(path)
    return FILE
  })
  expect(readPaths).toEqual(['/srv/blog/settings.env'])
  expect(readConfig(environment)).toMatchObject({
    siteDefaults: { siteName: 'From the file', reading: 'everyone' },
  })
  const missing = Object.assign(new Error('none'), { code: 'ENOENT' })
  const none = { BLOG_DATA_DIR: '/srv/blog' }
  expect(
    readEnvironment(none, () => {
      throw missing
    }),
  ).toBe(none)
})
