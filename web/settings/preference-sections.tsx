// Settings: the choices that are stored in the account's preferences: appearance, dates, the
// editor, and whether reads are counted (product.md §2.5, §O16, §O27).
import { useEffect, useState } from 'react'
import { countsReads, READS_PREF } from '#contract/reads.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { readEditorPreferences } from '../editor/editor-preferences.ts'
import { formatDate, useDateLanguage } from '../head/date-language.ts'
import { DATE_FORMAT } from '../head/localise-dates.ts'
import { THEMES } from '../head/stored-preferences.ts'
import { texts } from '../locales/texts.ts'
import {
  useBottomBar,
  useChangePreferences,
  useSavePreferences,
  useTheme,
} from '../shell/device-preferences.ts'
import { SelectField } from '../ui/field.tsx'
import { Options } from '../ui/options.tsx'
import { Segmented } from '../ui/segmented.tsx'
import { useIsHydrated } from '../ui/use-is-hydrated.ts'
import { SettingsSection } from './settings-form.tsx'

export function AppearanceSection() {
  const theme = useTheme()
  const bar = useBottomBar()
  const { chooseTheme, chooseBottomBar } = useChangePreferences()
  const { title, text, bars } = texts.appearance
  return (
    <SettingsSection title={title} text={text}>
      <Segmented
        legend={texts.theme.label}
        name="settings-theme"
        options={THEMES.map((value) => ({ value, name: texts.theme[value] }))}
        selected={theme}
        onChoose={chooseTheme}
      />
      <Segmented
        legend={bars.legend}
        name="settings-bar"
        options={[
          { value: 'shown', name: bars.shown },
          { value: 'hidden', name: bars.hidden },
        ]}
        selected={bar}
        onChoose={chooseBottomBar}
      />
    </SettingsSection>
  )
}

/** The value of the choice "As in this browser", which is not a language. */
const BROWSER = ''

export function DatesSection() {
  const { title, text, label, browser, today, names } = texts.dateLanguages
  const { dateLanguage } = useViewer().prefs
  const savedLanguage = typeof dateLanguage === 'string' ? dateLanguage : BROWSER
  const isHydrated = useIsHydrated()
  const language = useDateLanguage()
  // The server knows neither the reader's day nor the language of the browser.
  const hint = isHydrated ? today(formatDate(new Date(), DATE_FORMAT, language)) : '\u00a0'
  const { chooseDateLanguage } = useChangePreferences()
  return (
    <SettingsSection title={title} text={text}>
      <SelectField
        label={label}
        hint={hint}
        choices={[[BROWSER, browser], ...Object.entries(names)]}
        value={isHydrated ? (language ?? BROWSER) : savedLanguage}
        onChange={(value) => chooseDateLanguage(value || undefined)}
      />
    </SettingsSection>
  )
}

export function WritingSection() {
  const savePreferences = useSavePreferences()
  const { hasMenuBar, convertsMarkdown } = readEditorPreferences(useViewer().prefs)
  const { title, text, bars, markdown } = texts.writingChoices
  return (
    <SettingsSection title={title} text={text}>
      <Options
        legend={bars.legend}
        options={[
          { value: 'both', ...bars.both },
          { value: 'toolbar', ...bars.toolbar },
        ]}
        selected={hasMenuBar ? 'both' : 'toolbar'}
        onChoose={(editorBars) => void savePreferences({ editorBars })}
      />
      <Options
        legend={markdown.legend}
        options={[
          { value: 'formatted', ...markdown.formatted },
          { value: 'typed', ...markdown.typed },
        ]}
        selected={convertsMarkdown ? 'formatted' : 'typed'}
        onChoose={(markdownPaste) => void savePreferences({ markdownPaste })}
      />
    </SettingsSection>
  )
}

export function ReadCountsSection() {
  const savePreferences = useSavePreferences()
  const isCounted = countsReads(useViewer().prefs)
  const [isChecked, setChecked] = useState(isCounted)
  useEffect(() => setChecked(isCounted), [isCounted])
  const { title, text, choice, hint } = texts.readNumbers

  function handleChange(isOn: boolean) {
    setChecked(isOn)
    void savePreferences({ [READS_PREF]: isOn ? 'on' : 'off' })
  }
  return (
    <SettingsSection title={title} text={text}>
      <label className="option">
        <input
          className="check"
          type="checkbox"
          checked={isChecked}
          onChange={({ target }) => handleChange(target.checked)}
        />
        <span>
          {choice}
          <small className="hint">{hint}</small>
        </span>
      </label>
    </SettingsSection>
  )
}
