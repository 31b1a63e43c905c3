// From the form of a post to its versions.
import { History } from 'lucide-react'
import { Link } from 'react-router'
import { texts } from '../locales/texts.ts'
import { buttonClass } from '../ui/button-class.ts'
import { versionsPath } from './versions-path.ts'

export function VersionsLink({ slug }: { slug: string }) {
  return (
    <Link className={buttonClass('ghost')} to={versionsPath(slug)}>
      <History className="icon icon--small" aria-hidden="true" />
      {texts.versionList.title}
    </Link>
  )
}
