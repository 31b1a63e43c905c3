// A button that opens a menu, with arrow keys, Home, End and Esc; when the menu closes, the focus
// returns. The children are its items: `MenuItem`, `MenuLink` or elements with the role
// menuitemradio and tabIndex -1. The children of a panel are links and buttons instead.
import type { LucideIcon } from 'lucide-react'
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { Link, type LinkProps } from './link.tsx'
import { nextIndex } from './next-index.ts'
import { usePageEvent } from './use-page-event.ts'

/** The room for the bars at both edges of the window. */
const BAR_ROOM_PX = 72

type MenuProps = {
  /** Name of the menu, and of its button unless `buttonLabel` says otherwise. */
  label: string
  buttonLabel?: string
  /** The content of the button. */
  button: ReactNode
  buttonClass: string
  /** Shown as a hint when the pointer rests on the button. */
  title?: string
  className?: string
  /** On small screens the menu is a sheet at the lower edge. */
  isSheet?: boolean
  /** Class of a panel, which is not a menu: it gets the focus itself, and Tab moves through it. */
  panelClass?: string
  startsOpen?: boolean
  children: ReactNode
}

export function Menu({
  label,
  buttonLabel,
  button,
  buttonClass,
  title,
  className,
  isSheet = false,
  panelClass,
  startsOpen = false,
  children,
}: MenuProps) {
  const id = useId()
  const [openAt, setOpenAt] = useState<'first' | 'last' | undefined>(
    startsOpen ? 'first' : undefined,
  )
  const role = panelClass ? 'dialog' : 'menu'
  const itemSelector = panelClass ? 'a, button' : '[role^=menuitem]'
  const anchor = useRef<HTMLDivElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const isOpen = openAt !== undefined

  // Opens upwards if there is no room below.
  useLayoutEffect(() => {
    if (!isOpen || !panel.current || !opener.current) return
    const { bottom, height } = panel.current.getBoundingClientRect()
    const hasRoom = bottom <= window.innerHeight - BAR_ROOM_PX
    const isUp = !hasRoom && opener.current.getBoundingClientRect().top > height + BAR_ROOM_PX
    panel.current.classList.toggle('menu--up', isUp)
    return () => panel.current?.classList.remove('menu--up')
  }, [isOpen])
  useEffect(() => {
    if (!openAt) return
    if (role === 'dialog') return panel.current?.focus()
    itemsIn(panel.current, itemSelector)
      .at(openAt === 'first' ? 0 : -1)
      ?.focus()
  }, [openAt, role, itemSelector])
  function handleOutside({ target }: Event) {
    if (isOpen && target instanceof Node && !anchor.current?.contains(target)) setOpenAt(undefined)
  }
  usePageEvent('pointerdown', handleOutside)
  usePageEvent('focusin', handleOutside)

  function close() {
    setOpenAt(undefined)
    opener.current?.focus()
  }
  function handleOpenerKey(event: KeyboardEvent) {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    setOpenAt(event.key === 'ArrowDown' ? 'first' : 'last')
  }
  function handlePanelKey(event: KeyboardEvent) {
    const items = itemsIn(panel.current, itemSelector)
    const focusedIndex =
      document.activeElement instanceof HTMLElement ? items.indexOf(document.activeElement) : -1
    const next = nextIndex(event.key, focusedIndex, items.length)
    if (next !== undefined) items[next]?.focus()
    else if (event.key === 'Escape') close()
    else if (event.key === ' ' && document.activeElement instanceof HTMLAnchorElement)
      document.activeElement.click()
    else if (event.key === 'Tab' && role === 'menu')
      return close() // the browser then moves on from the button
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  function handlePanelClick(event: MouseEvent) {
    const selector = panelClass ? 'a' : itemSelector
    if (event.target instanceof Element && event.target.closest(selector)) close()
  }

  return (
    <div className={className ? `menu-anchor ${className}` : 'menu-anchor'} ref={anchor}>
      <button
        className={buttonClass}
        type="button"
        ref={opener}
        aria-haspopup={role}
        aria-expanded={isOpen}
        aria-controls={id}
        aria-label={buttonLabel ?? label}
        title={title}
        onClick={() => setOpenAt(isOpen ? undefined : 'first')}
        onKeyDown={handleOpenerKey}
      >
        {button}
      </button>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it has one of two roles */}
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles may have a label */}
      <div
        className={`float menu ${isSheet ? 'menu--sheet' : (panelClass ?? '')}`.trimEnd()}
        role={role}
        aria-label={label}
        tabIndex={-1}
        id={id}
        ref={panel}
        hidden={!isOpen}
        onKeyDown={handlePanelKey}
        onClick={handlePanelClick}
      >
        {isOpen && children}
      </div>
    </div>
  )
}

type MenuItemProps = {
  Icon: LucideIcon
  isDanger?: boolean
  /** Without it the item only closes the menu. */
  onPress?: () => void
  children: ReactNode
}

export function MenuItem({ Icon, isDanger = false, onPress, children }: MenuItemProps) {
  return (
    <button
      className={isDanger ? 'is-danger' : undefined}
      type="button"
      role="menuitem"
      tabIndex={-1}
      onClick={onPress}
    >
      <Icon className="icon" aria-hidden="true" />
      {children}
    </button>
  )
}

export function MenuLink({ Icon, children, ...link }: LinkProps & { Icon: LucideIcon }) {
  return (
    <Link {...link} role="menuitem" tabIndex={-1}>
      <Icon className="icon" aria-hidden="true" />
      {children}
    </Link>
  )
}

function itemsIn(panel: HTMLElement | null, selector: string): HTMLElement[] {
  return [...(panel?.querySelectorAll<HTMLElement>(selector) ?? [])].filter((item) =>
    item.checkVisibility(),
  )
}
