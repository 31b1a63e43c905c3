// Keyboard shortcuts: what they do, the dialog that lists them, and the switch that turns them off
// (WCAG 2.1.4).
import { X } from 'lucide-react'
import {
  createContext,
  Fragment,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useId,
  useState,
  useSyncExternalStore,
} from 'react'
import { useNavigate } from 'react-router'
import { texts } from '../locales/texts.ts'
import { focusSearch } from '../posts/search-field.tsx'
import { Button } from '../ui/button.tsx'
import { useModal } from '../ui/use-modal.ts'
import { areShortcutsOn, onDeviceChoice, setShortcuts } from './device-preferences.ts'
import {
  isShortcutPress,
  makeShortcutReader,
  SHORTCUTS,
  type ShortcutName,
} from './shortcut-keys.ts'

const WORDS: Record<ShortcutName, string> = texts.shortcuts.names

/** The field for searching shows its key itself. */
const LISTED = SHORTCUTS.filter(({ name }) => name !== 'search')

const OpenContext = createContext<() => void>(() => {})

/** @returns how to show the list of shortcuts */
export function useShortcutList(): () => void {
  return useContext(OpenContext)
}

export function ShortcutsProvider({ children }: { children: ReactNode }) {
  const navigate = useNavigate()
  const isOn = useShortcutsOn()
  const [isListed, setListed] = useState(false)
  const open = useCallback(() => setListed(true), [])

  useEffect(() => {
    const read = makeShortcutReader()
    function handleKey(event: KeyboardEvent) {
      const target = event.target instanceof Element ? event.target : null
      // Asked at each press: while hydrating, React has them on, as the server does.
      if (!areShortcutsOn() || !isShortcutPress(event, target)) return
      if (document.querySelector('dialog[open]')) return
      const name = read(event)
      if (!name) return
      event.preventDefault()
      if (name === 'help') open()
      else if (name === 'like') pressLike()
      else if (name === 'search') focusSearch(() => void navigate('/search'))
      else void navigate({ feed: '/post', dashboard: '/dashboard', newPost: '/add-post' }[name])
    }
    document.addEventListener('keydown', handleKey)
    return () => document.removeEventListener('keydown', handleKey)
  }, [navigate, open])

  return (
    <OpenContext value={open}>
      {children}
      {isListed && <ShortcutList isOn={isOn} onClose={() => setListed(false)} />}
    </OpenContext>
  )
}

function ShortcutList({ isOn, onClose }: { isOn: boolean; onClose: () => void }) {
  return (
    <InfoDialog title={texts.shortcuts.title} onClose={onClose}>
      <dl className="shortcut-list">
        {LISTED.map(({ name, keys }) => (
          <div key={name}>
            <dt>
              {keys.map((key, index) => (
                <Fragment key={key}>
                  {index > 0 && texts.shortcuts.between}
                  <kbd>{key}</kbd>
                </Fragment>
              ))}
            </dt>
            <dd>{WORDS[name]}</dd>
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

function useShortcutsOn(): boolean {
  return useSyncExternalStore(onDeviceChoice, areShortcutsOn, () => true)
}

function pressLike() {
  const heart = document.querySelector<HTMLElement>('article [data-shortcut=like]')
  heart?.focus()
  heart?.click()
}

// A dialog that only informs, on the native dialog: the focus stays inside, Esc and a press beside
// it close it, and the focus returns. Knows nothing of the product.

type InfoDialogProps = { title: string; children: ReactNode; onClose: () => void }

/** Open for as long as it is rendered. */
export function InfoDialog({ title, children, onClose }: InfoDialogProps) {
  const id = useId()
  const dialog = useModal(onClose)
  return (
    <dialog
      className="float dialog info-dialog"
      ref={dialog}
      aria-labelledby={id}
      onClose={onClose}
    >
      <div className="info-dialog__inner">
        <div className="apart info-dialog__header">
          <h2 id={id}>{title}</h2>
          <Button
            kind="ghost"
            className="btn--icon"
            aria-label={texts.actions.close}
            onClick={onClose}
            Icon={X}
          />
        </div>
        {children}
      </div>
    </dialog>
  )
}
