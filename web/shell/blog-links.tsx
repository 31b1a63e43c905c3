// The blog's pages, such as "About", and links to other places: in the header, where there is room,
// else first in its menu, and in the footer.
import { ExternalLink, FileText } from 'lucide-react'
import type { ReactNode } from 'react'
import { NavLink } from 'react-router'
import type { SiteLink } from '#contract/blog-links.ts'
import { useSiteIdentity } from '../api/site-identity.ts'
import { texts } from '../locales/texts.ts'
import { Link } from '../ui/link.tsx'

type Place = 'inHeader' | 'inFooter'

function useLinks(place: Place): SiteLink[] {
  return useSiteIdentity().links?.filter((link) => link[place]) ?? []
}

export function useHasHeaderLinks(): boolean {
  return useLinks('inHeader').length > 0
}

export function HeaderLinks() {
  const links = useLinks('inHeader')
  if (links.length === 0) return null
  return (
    <nav className="header__pages" aria-label={texts.blogLinks.label}>
      <ul>
        {links.map((link) => (
          <li key={link.to}>
            <PageLink link={link}>
              <bdi>{link.name}</bdi>
              {isElsewhere(link) && (
                <>
                  <Elsewhere />
                  <ExternalLink className="icon icon--small" aria-hidden="true" />
                </>
              )}
            </PageLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** The same links in a menu of a narrow header. */
export function LinkItems() {
  const links = useLinks('inHeader')
  if (links.length === 0) return null
  return (
    <div className="header__page-items" role="presentation">
      {links.map((link) => {
        const Icon = isElsewhere(link) ? ExternalLink : FileText
        return (
          <PageLink key={link.to} link={link} isItem>
            <Icon className="icon" aria-hidden="true" />
            <bdi>{link.name}</bdi>
            {isElsewhere(link) && <Elsewhere />}
          </PageLink>
        )
      })}
      <hr />
    </div>
  )
}

export function FooterLinks() {
  return useLinks('inFooter').map(({ name, to }) => (
    <Link key={to} to={to}>
      <bdi>{name}</bdi>
    </Link>
  ))
}

function Elsewhere() {
  return <span className="visually-hidden">{texts.blogLinks.elsewhere}</span>
}

/** Whether a link leads to another site. */
export function isElsewhere({ to }: SiteLink): boolean {
  return !to.startsWith('/')
}

type PageLinkProps = { link: SiteLink; isItem?: boolean; children: ReactNode }

function PageLink({ link, isItem = false, children }: PageLinkProps) {
  const item = isItem ? ({ role: 'menuitem', tabIndex: -1 } as const) : undefined
  if (isElsewhere(link))
    return (
      <a {...item} href={link.to}>
        {children}
      </a>
    )
  return (
    <NavLink {...item} to={link.to} end>
      {children}
    </NavLink>
  )
}
