// Parts that every screen needs: its title in the browser's tab, the text while it loads, and a
// screen that is only a message. Independent of the product.
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { texts } from '../locales/texts.ts'
import { Spinner } from './button.tsx'

/** The name at the end of every title. */
export const SiteName = createContext('')

type PageTitleProps = {
  screen: string
  /** For search engines, on public pages. */
  description?: string | undefined
}

/** React moves both elements into the head, on the server too. */
export function PageTitle({ screen, description }: PageTitleProps) {
  const site = useContext(SiteName)
  return (
    <>
      <title>{`${screen} · ${site}`}</title>
      {description && <meta name="description" content={description} />}
    </>
  )
}

const SHOWN_AFTER_MS = 150

type LoadingTextProps = {
  children: string
  /** Shows the text at once, for a wait that is known to be long. */
  isImmediate?: boolean
}

/** Shown only when the wait is long enough to notice. */
export function LoadingText({ children, isImmediate = false }: LoadingTextProps) {
  const [isShown, setShown] = useState(isImmediate)
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), SHOWN_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <p className="loading" role="status">
      {isShown && (
        <>
          <Spinner />
          {children}
        </>
      )}
    </p>
  )
}

/** Shown inside the shell while the code of a page is loading. */
export function PageLoading() {
  return (
    <div className="message-screen message-screen--guard">
      <PageTitle screen={texts.loading.screen} />
      <h1 className="visually-hidden">{useContext(SiteName)}</h1>
      <LoadingText>{texts.loading.page}</LoadingText>
    </div>
  )
}

type MessageScreenProps = {
  /** Shown in the title of the tab; undefined when another part of the page sets the title. */
  screen?: string | undefined
  art: LampState
  title: ReactNode
  /** 2 when the page has a title of its own above. */
  titleLevel?: 1 | 2
  /** The message is a part of a page that has a head of its own. */
  isInline?: boolean
  /** For a title that is a sentence rather than a name. */
  hasSmallTitle?: boolean
  /** Screen readers announce the message at once. */
  isAlert?: boolean
  children?: ReactNode
  /** Says what is going on meanwhile. */
  status?: ReactNode
  /** Buttons and links, the main one first. */
  actions?: ReactNode
  /** Small print under the actions. */
  foot?: ReactNode
}

/** A screen with the lamp, a title, a sentence or two, and one main action. */
export function MessageScreen({
  screen,
  art,
  title,
  titleLevel = 1,
  isInline = false,
  hasSmallTitle = false,
  isAlert = false,
  children,
  status,
  actions,
  foot,
}: MessageScreenProps) {
  const className = isInline ? 'message-screen message-screen--part' : 'message-screen'
  const Title = titleLevel === 1 ? 'h1' : 'h2'
  return (
    <div className={className} role={isAlert ? 'alert' : undefined}>
      {screen && <PageTitle screen={screen} />}
      <LampArt state={art} />
      <Title className={hasSmallTitle ? 'is-small' : undefined}>{title}</Title>
      {children}
      {status}
      {actions && <div className="row">{actions}</div>}
      {foot && <p className="request-id">{foot}</p>}
    </div>
  )
}

type LampState = 'lit' | 'searching' | 'off'

const CONTROL = 'var(--line-control)'

/** The reading lamp, a decoration. */
function LampArt({ state }: { state: LampState }) {
  const isOff = state === 'off'
  return (
    <svg className="illustration" viewBox="0 0 220 170" aria-hidden="true">
      <rect x="18" y="148" width="184" height="5" rx="2.5" fill="var(--surface-3)" />
      {state === 'lit' && <path d="M88 62 46 148h96L118 62Z" fill="var(--mark)" opacity=".2" />}
      <path
        d="M164 148V58q0-30-36-32"
        fill="none"
        stroke={CONTROL}
        strokeWidth="6"
        strokeLinecap="round"
      />
      <rect x="144" y="142" width="40" height="8" rx="4" fill={CONTROL} />
      <g transform={isOff ? 'rotate(-14 128 26)' : undefined}>
        <path
          d="M104 20c26 0 34 20 36 40H68c2-20 10-40 36-40z"
          fill={isOff ? 'var(--surface-3)' : 'var(--like)'}
        />
        <rect x="68" y="58" width="72" height="5" rx="2.5" fill={isOff ? CONTROL : 'var(--mark)'} />
      </g>
      {state === 'lit' && (
        <>
          <path className="illustration__book" d="M66 148l8-22h40l8 22z" />
          <path className="illustration__lines" d="M82 134h26M79 140.500h20" />
        </>
      )}
      {state === 'searching' && (
        <>
          <path d="M88 62 46 148h96L118 62Z" fill="var(--mark)" opacity=".16" />
          <path
            d="M62 148c10-6 54-6 64 0"
            stroke="var(--mark)"
            strokeWidth="3"
            strokeDasharray="2 8"
            strokeLinecap="round"
            fill="none"
          />
        </>
      )}
      {isOff && (
        <path
          d="M92 84l-6 12M108 86v14M76 76l-12 8"
          stroke={CONTROL}
          strokeWidth="3"
          strokeLinecap="round"
        />
      )}
    </svg>
  )
}
