// Name, description, logo and links of the blog: an operator may change them while the page is
// open.
import { createContext, useContext } from 'react'
import type { SiteSettings } from './page-data.ts'

export type SiteIdentity = Pick<SiteSettings, 'siteName' | 'about' | 'logo' | 'links'>

export const SiteIdentityContext = createContext<
  (SiteIdentity & { change: (changes: Partial<SiteIdentity>) => void }) | undefined
>(undefined)

export function useSiteIdentity() {
  const identity = useContext(SiteIdentityContext)
  if (!identity) throw new Error('useSiteIdentity needs a SiteIdentityContext above it')
  return identity
}
