// The first two stops of the Tab key. A script in the head (head/skip-links.ts) moves the focus;
// the links work without scripts, too.
import { texts } from '../locales/texts.ts'
import { BOTTOM_BAR_ID } from './bottom-bar.tsx'

export function SkipLinks() {
  return (
    <div className="skip-links">
      <a className="skip-link" href="#main">
        {texts.skipLinks.content}
      </a>
      <a className="skip-link" href={`#${BOTTOM_BAR_ID}`}>
        {texts.skipLinks.navigation}
      </a>
    </div>
  )
}
