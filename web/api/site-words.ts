// Name, line and logo of the blog, which an operator may change while the page is open.
import { createContext, useContext } from 'react'
import type { SiteSettings } from './site-settings.ts'

export type Words = Pick<SiteSettings, 'siteName' | 'about' | 'logo'>

export const SiteWordsContext = createContext<
  (Words & { change: (words: Words) => void }) | undefined
>(undefined)

export function useSiteWords() {
  const words = useContext(SiteWordsContext)
  if (!words) throw new Error('useSiteWords needs a SiteWordsContext above it')
  return words
}
