import { expect, test } from 'vitest'
import { findEnv, readConfig } from './config.ts'
import { SettingError } from './setting-definitions.ts'
import { changeSettingsFile, withSettingsFile } from './settings-file.ts'

const FILE = `# by hand
BLOG_SITE_NAME='From the file'
BLOG_READING=everyone
`

test('the environment goes before the file, also by a file of its own, and empty says nothing', () => {
  expect(withSettingsFile({}, FILE, 'settings.env')).toMatchObject({
    BLOG_SITE_NAME: 'From the file',
    BLOG_READING: 'everyone',
  })
  const env = { BLOG_SITE_NAME: 'Mine', BLOG_READING: '' }
  expect(withSettingsFile(env, FILE, 'settings.env')).toEqual({ ...env, BLOG_READING: 'everyone' })
  const named = { BLOG_SITE_NAME_FILE: '/run/name' }
  expect(withSettingsFile(named, FILE, 'settings.env')).not.toHaveProperty('BLOG_SITE_NAME')
})

test.each(['BLOG_READNIG=everyone', 'PATH=/bin', 'BLOG_DATA_DIR=/elsewhere'])(
  'a file with %s is refused by name',
  (line) => {
    const name = line.split('=')[0] ?? ''
    const read = () => withSettingsFile({}, line, '/data/settings.env')
    expect(read).toThrow(SettingError)
    expect(read).toThrow(`${name}`)
  },
)

test('every command reads the file of its data folder; without one nothing changes', () => {
  const asked: string[] = []
  const found = findEnv({ BLOG_DATA_DIR: '/srv/blog' }, (path) => {
    asked.push(path)
    return FILE
  })
  expect(asked).toEqual(['/srv/blog/settings.env'])
  expect(readConfig(found)).toMatchObject({ siteName: 'From the file', reading: 'everyone' })
  const missing = Object.assign(new Error('none'), { code: 'ENOENT' })
  const none = { BLOG_DATA_DIR: '/srv/blog' }
  expect(
    findEnv(none, () => {
      throw missing
    }),
  ).toBe(none)
})

test.each(["'`\\n", '\'`"', 'a\nb', 'a\rb', '\n'])(
  'what no quotes can hold is refused: %j',
  (name) => {
    const keep = () => changeSettingsFile(FILE, { BLOG_SITE_NAME: name })
    expect(keep).toThrow(SettingError)
    expect(keep).toThrow('BLOG_SITE_NAME')
  },
)

const NAMES = ['Web App', "Lamps & 'more'", '"Lamps"', 'a#b = c', '灯', '`tick`', 'it\'s "so"']
const ODD = [
  'a\\nb',
  "it's \\n so",
  '\\',
  "'\\",
  ' at both ends ',
  '$HOME {PATH}',
  '💡 #',
  '=',
  '#',
]

test.each([...NAMES, ...ODD])(
  'the name %s comes back as it was, and every other line stays',
  (name) => {
    const text = changeSettingsFile(`${FILE}PORT=80\n`, { BLOG_SITE_NAME: name })
    expect(withSettingsFile({}, text, '')).toEqual({
      BLOG_SITE_NAME: name,
      BLOG_READING: 'everyone',
      PORT: '80',
    })
    expect(text.startsWith('# by hand\n')).toBe(true)
    expect(changeSettingsFile(text, { BLOG_SITE_NAME: name })).toBe(text)
  },
)

test('a new file says what each setting is for', () => {
  const text = changeSettingsFile('', { BLOG_READING: 'everyone' })
  expect(text).toMatch(
    /^# Settings of this blog[\s\S]*\n# Who may read[^\n]*\nBLOG_READING=everyone\n$/,
  )
})
