// Settings: the language that dates are written in, kept in the account's preferences (product.md
// §O16).
import { ChevronDown } from 'lucide-react'
import { SettingsSection } from '../accounts/settings-section.tsx'
import { useViewer } from '../accounts/viewer.tsx'
import { formatDate, useDateLanguage } from '../head/date-language.ts'
import { DATE_FORMAT } from '../head/early-dates.ts'
import { texts } from '../locales/texts.ts'
import { Field } from '../ui/field.tsx'
import { useIsHydrated } from '../ui/use-is-hydrated.ts'
import { useChangeDeviceChoices } from './use-device-choices.ts'

/** The value of the choice "As in this browser": no language has it. */
const BROWSER = ''

export function DatesSection() {
  const { title, text, label, browser, today, names } = texts.dateLanguages
  const { dateLanguage } = useViewer().prefs
  const savedLanguage = typeof dateLanguage === 'string' ? dateLanguage : BROWSER
  const isHydrated = useIsHydrated()
  const language = useDateLanguage()
  // The server knows neither the reader's day nor the language of the browser.
  const hint = isHydrated ? today(formatDate(new Date(), DATE_FORMAT, language)) : '\u00a0'
  const { chooseDateLanguage } = useChangeDeviceChoices()
  return (
    <SettingsSection title={title} text={text}>
      <Field label={label} hint={hint}>
        {(ids) => (
          <span className="select">
            <select
              {...ids}
              className="input"
              value={isHydrated ? (language ?? BROWSER) : savedLanguage}
              onChange={({ currentTarget }) => chooseDateLanguage(currentTarget.value || undefined)}
            >
              <option value={BROWSER}>{browser}</option>
              {Object.entries(names).map(([value, name]) => (
                <option key={value} value={value}>
                  {name}
                </option>
              ))}
            </select>
            <ChevronDown className="icon" aria-hidden="true" />
          </span>
        )}
      </Field>
    </SettingsSection>
  )
}
