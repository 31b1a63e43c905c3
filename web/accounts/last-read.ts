// The post that a visitor read last in this tab: the way back from the sign-in form.
import { isPost } from './return-path.ts'

let lastRead: string | undefined

/** Call with every page that is shown. */
export function rememberRead(pathname: string, options: { isSignedIn: boolean }): void {
  if (options.isSignedIn) lastRead = undefined
  else if (isPost(pathname)) lastRead = pathname
}

/** A post whose page loaded no app is known by the address that led here. */
export function findLastRead(): string | undefined {
  if (lastRead || typeof document === 'undefined' || !document.referrer) return lastRead
  const { origin, pathname } = new URL(document.referrer)
  return origin === window.location.origin && isPost(pathname) ? pathname : undefined
}
