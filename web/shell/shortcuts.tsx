// Keyboard shortcuts: single letters outside of fields, alone or in pairs; their effects, the
// dialog that lists them, and the switch that turns them off (WCAG 2.1.4).
import {
  createContext,
  Fragment,
  type ReactNode,
  useCallback,
  useContext,
  useState,
  useSyncExternalStore,
} from 'react'
import { useNavigate } from 'react-router'
import { isOperator, useViewer } from '../accounts/viewer.tsx'
import { texts } from '../locales/texts.ts'
import { focusSearch } from '../posts/search-field.tsx'
import { InfoDialog } from '../ui/info-dialog.tsx'
import { usePageEvent } from '../ui/use-page-event.ts'
import { areShortcutsOn, onPreferenceChange, setShortcuts } from './device-preferences.ts'

/** The shortcuts, named after what they do. */
export type ShortcutName =
  | 'help'
  | 'feed'
  | 'dashboard'
  | 'notifications'
  | 'admin'
  | 'newPost'
  | 'like'
  | 'comments'
  | 'reply'
  | 'nextCase'
  | 'previousCase'
  | 'hideCase'
  | 'dismissCase'
  | 'search'

/** In the order in which they are listed. The keys of a pair are pressed one after the other. */
export const SHORTCUTS: readonly { name: ShortcutName; keys: readonly [string, ...string[]] }[] = [
  { name: 'feed', keys: ['g', 'f'] },
  { name: 'dashboard', keys: ['g', 'd'] },
  { name: 'notifications', keys: ['g', 'n'] },
  { name: 'admin', keys: ['g', 'a'] },
  { name: 'newPost', keys: ['n'] },
  { name: 'like', keys: ['l'] },
  { name: 'comments', keys: ['c'] },
  { name: 'reply', keys: ['r'] },
  { name: 'nextCase', keys: ['j'] },
  { name: 'previousCase', keys: ['k'] },
  { name: 'hideCase', keys: ['h'] },
  // In the queue of cases, where the key does not open a new post.
  { name: 'dismissCase', keys: ['n'] },
  { name: 'search', keys: ['/'] },
  { name: 'help', keys: ['?'] },
]

/** Id of the heading above the comments on a post. */
export const COMMENTS_TITLE_ID = 'comments-title'

const isOperatorShortcut = (name: ShortcutName) => name === 'admin' || name.endsWith('Case')

/** The page on which operators review reports. */
export const QUEUE_PATH = '/admin/queue'

/** The second key of a pair must come within this time. */
const PAIR_MS = 1500
/**
 * Elements in which letters are typed or have a meaning of their own. Only an open dialog counts: a
 * closed one keeps the focus until the next frame.
 */
const FIELDS =
  'input:not([type=radio], [type=checkbox], [type=button], [type=submit]), textarea, select, [contenteditable], [role^=menu], [role=toolbar], iframe, dialog[open]'

export type KeyPress = Pick<
  KeyboardEvent,
  | 'key'
  | 'ctrlKey'
  | 'metaKey'
  | 'altKey'
  | 'isComposing'
  | 'repeat'
  | 'defaultPrevented'
  | 'timeStamp'
>

/** Whether a press may be a shortcut: without a modifier key, and not typed into a field. */
export function isShortcutPress(
  press: KeyPress,
  target: { closest(selector: string): unknown } | null,
): boolean {
  if (
    press.defaultPrevented ||
    press.ctrlKey ||
    press.metaKey ||
    press.altKey ||
    press.isComposing ||
    press.repeat
  )
    return false
  return press.key.length === 1 && !target?.closest(FIELDS)
}

/**
 * @returns a function to call with each press: it remembers the first key of a pair, and returns
 *   the shortcut that the press completes
 */
export function makeShortcutReader(): (
  press: Pick<KeyPress, 'key' | 'timeStamp'>,
) => ShortcutName | undefined {
  let first: { key: string; atMs: number } | undefined
  return ({ key, timeStamp }) => {
    const previousKey = first && timeStamp - first.atMs <= PAIR_MS ? first.key : undefined
    const shortcut = SHORTCUTS.find(({ keys }) =>
      previousKey
        ? keys[0] === previousKey && keys[1] === key
        : keys.length === 1 && keys[0] === key,
    )
    const isFirst = !previousKey && SHORTCUTS.some(({ keys }) => keys.length > 1 && keys[0] === key)
    first = isFirst ? { key, atMs: timeStamp } : undefined
    return shortcut?.name
  }
}

const DESCRIPTIONS: Record<ShortcutName, string> = texts.shortcuts.names
const PATHS = {
  feed: '/post',
  dashboard: '/dashboard',
  notifications: '/notifications',
  admin: '/admin',
  newPost: '/add-post',
}

const OpenContext = createContext<() => void>(() => {})

/** @returns a function that shows the list of shortcuts */
export function useShortcutList(): () => void {
  return useContext(OpenContext)
}

export function ShortcutsProvider({ children }: { children: ReactNode }) {
  const navigate = useNavigate()
  const isForOperator = isOperator(useViewer().userData)
  const isOn = useSyncExternalStore(onPreferenceChange, areShortcutsOn, () => true)
  const [isListed, setListed] = useState(false)
  const open = useCallback(() => setListed(true), [])

  const [read] = useState(makeShortcutReader)
  usePageEvent('keydown', (event) => {
    const target = event.target instanceof Element ? event.target : null
    // Read at each press, because during hydration `isOn` is true, as on the server.
    if (!areShortcutsOn() || !isShortcutPress(event, target)) return
    if (document.querySelector('dialog[open]')) return
    const name = read(event)
    if (!name || (isOperatorShortcut(name) && !isForOperator)) return
    event.preventDefault()
    if (name === 'help') open()
    else if (name === 'like') press('article [data-shortcut=like]')
    else if (name === 'comments') goToComments()
    else if (name === 'reply') press('.comment:focus-within [data-shortcut=reply]')
    else if (name === 'nextCase') goToCase(1)
    else if (name === 'previousCase') goToCase(-1)
    else if (name === 'hideCase') press('.case:focus-within [data-shortcut=hide]')
    else if (name === 'dismissCase' || (name === 'newPost' && location.pathname === QUEUE_PATH))
      press('.case:focus-within [data-shortcut=dismiss]')
    else if (name === 'search') focusSearch(() => void navigate('/search'))
    else void navigate(PATHS[name])
  })

  return (
    <OpenContext value={open}>
      {children}
      {isListed && <ShortcutList isOn={isOn} onClose={() => setListed(false)} />}
    </OpenContext>
  )
}

function ShortcutList({ isOn, onClose }: { isOn: boolean; onClose: () => void }) {
  const isForOperator = isOperator(useViewer().userData)
  const listed = SHORTCUTS.filter(({ name }) => !isOperatorShortcut(name) || isForOperator)
  return (
    <InfoDialog title={texts.shortcuts.title} onClose={onClose}>
      <dl className="shortcut-list">
        {listed.map(({ name, keys }) => (
          <div key={name}>
            <dt>
              {keys.map((key, index) => (
                <Fragment key={key}>
                  {index > 0 && texts.shortcuts.between}
                  <kbd>{key}</kbd>
                </Fragment>
              ))}
            </dt>
            <dd>{DESCRIPTIONS[name]}</dd>
          </div>
        ))}
      </dl>
      <label className="checkbox">
        <input
          type="checkbox"
          checked={isOn}
          onChange={(event) => setShortcuts(event.target.checked ? 'on' : 'off')}
        />
        {texts.shortcuts.use}
      </label>
      <p>{texts.shortcuts.text}</p>
    </InfoDialog>
  )
}

function press(selector: string) {
  const control = document.querySelector<HTMLElement>(selector)
  control?.focus()
  control?.click()
}

function goToCase(step: 1 | -1) {
  const cases = [...document.querySelectorAll<HTMLElement>('.case')]
  const index = cases.findIndex((element) => element.contains(document.activeElement))
  cases[Math.max(0, index + step)]?.focus()
}

function goToComments() {
  const title = document.getElementById(COMMENTS_TITLE_ID)
  title?.scrollIntoView()
  title?.focus({ preventScroll: true })
}
