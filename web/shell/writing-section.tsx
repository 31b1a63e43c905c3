// Settings: how the editor behaves, kept in the account's preferences (product.md §O16).
import type { Prefs } from '#contract/accounts.ts'
import { SettingsSection } from '../accounts/settings-section.tsx'
import { useViewer } from '../accounts/viewer.tsx'
import { readEditorChoices } from '../editor/editor-choices.ts'
import { texts } from '../locales/texts.ts'
import { Options } from '../ui/options.tsx'
import { useKeepChoices } from './use-device-choices.ts'

const { bars, markdown } = texts.writingChoices
const BARS = [
  { value: 'both', ...bars.both },
  { value: 'toolbar', ...bars.toolbar },
] as const
const MARKDOWN = [
  { value: 'formatted', ...markdown.formatted },
  { value: 'typed', ...markdown.typed },
] as const

export function WritingSection() {
  const { prefs } = useViewer()
  const keep = useKeepChoices()
  const { hasMenuBar, formatsMarkdown } = readEditorChoices(prefs)
  const choose = (changes: Prefs) => void keep(changes)
  return (
    <SettingsSection title={texts.writingChoices.title} text={texts.writingChoices.text}>
      <Options
        legend={bars.legend}
        options={BARS}
        now={hasMenuBar ? 'both' : 'toolbar'}
        onChoose={(editorBars) => choose({ editorBars })}
      />
      <Options
        legend={markdown.legend}
        options={MARKDOWN}
        now={formatsMarkdown ? 'formatted' : 'typed'}
        onChoose={(markdownPaste) => choose({ markdownPaste })}
      />
    </SettingsSection>
  )
}
