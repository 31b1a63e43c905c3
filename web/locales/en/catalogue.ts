// Every text of the web app in English; a translation is a copy of this folder (CONTRIBUTING.md
// "How do I translate it?"). Texts are whole sentences; a text with values is a function, so that
// each language can put the values in its own order.
import { accounts } from './accounts.tsx'
import { admin } from './admin.tsx'
import { adminServer } from './admin-server.tsx'
import { archive } from './archive.tsx'
import { blogPages } from './blog-pages.ts'
import { comments } from './comments.tsx'
import { dashboard } from './dashboard.tsx'
import { editorTexts } from './editor.ts'
import { mails } from './emailed-links.tsx'
import { files } from './files.tsx'
import { notifications } from './notifications.tsx'
import { previewLinks } from './preview-links.ts'
import { publishing } from './publishing.tsx'
import { reading } from './reading.tsx'
import { reports } from './reports.tsx'
import { settings } from './settings.tsx'
import { shared } from './shared.ts'
import { shell } from './shell.tsx'
import { versions } from './versions.tsx'
import { writing } from './writing.tsx'
import { writingViewTexts } from './writing-view.ts'

export const en = {
  /** A BCP 47 tag: the `lang` of every page, also used to format numbers. */
  language: 'en',
  direction: 'ltr' as 'ltr' | 'rtl',
  ...shared,
  ...files,
  ...accounts,
  ...mails,
  ...settings,
  ...reading,
  ...previewLinks,
  ...comments,
  ...dashboard,
  ...versions,
  ...writing,
  ...writingViewTexts,
  ...publishing,
  ...editorTexts,
  ...shell,
  ...admin,
  ...adminServer,
  ...archive,
  ...blogPages,
  ...reports,
  ...notifications,
}
