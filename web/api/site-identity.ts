// Name, line and logo of the blog, which an operator may change while the page is open.
import { createContext, useContext } from 'react'
import type { SiteSettings } from './page-data.ts'

export type SiteIdentity = Pick<SiteSettings, 'siteName' | 'about' | 'logo'>

export const SiteIdentityContext = createContext<
  (SiteIdentity & { change: (words: SiteIdentity) => void }) | undefined
>(undefined)

export function useSiteIdentity() {
  const words = useContext(SiteIdentityContext)
  if (!words) throw new Error('useSiteWords needs a SiteWordsContext above it')
  return words
}
