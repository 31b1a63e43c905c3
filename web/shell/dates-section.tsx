// Settings: the language that dates are written in, kept in the account's preferences (product.md
// §O16).
import { ChevronDown } from 'lucide-react'
import { SettingsSection } from '../accounts/settings-section.tsx'
import { formatDate, useDateLanguage } from '../head/date-language.ts'
import { DATE_FORMAT } from '../head/early-dates.ts'
import { texts } from '../locales/texts.ts'
import { Field } from '../ui/field.tsx'
import { useChangeDeviceChoices } from './use-device-choices.ts'

/** The value of the choice "As in this browser": no language has it. */
const BROWSER = ''

export function DatesSection() {
  const language = useDateLanguage()
  const { chooseDateLanguage } = useChangeDeviceChoices()
  const { title, text, label, browser, today, names } = texts.dateLanguages
  return (
    <SettingsSection title={title} text={text}>
      <Field label={label} hint={today(formatDate(new Date(), DATE_FORMAT, language))}>
        {(ids) => (
          <span className="select">
            <select
              {...ids}
              className="input"
              value={language ?? BROWSER}
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
