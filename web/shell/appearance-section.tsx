// Settings: the theme and the bottom bar, kept in the account's preferences (product.md §O16,
// §O27).
import { SettingsSection } from '../accounts/settings-section.tsx'
import { THEMES } from '../head/stored-choices.ts'
import { texts } from '../locales/texts.ts'
import type { BottomBar } from './device-choices.ts'
import { useBottomBar, useChangeDeviceChoices, useTheme } from './use-device-choices.ts'

const { bars } = texts.appearance

const BARS: { value: BottomBar; name: string }[] = [
  { value: 'shown', name: bars.shown },
  { value: 'hidden', name: bars.hidden },
]

export function AppearanceSection() {
  const theme = useTheme()
  const bar = useBottomBar()
  const { chooseTheme, chooseBottomBar } = useChangeDeviceChoices()
  return (
    <SettingsSection title={texts.appearance.title} text={texts.appearance.text}>
      <Choice
        legend={texts.theme.label}
        name="settings-theme"
        options={THEMES.map((value) => ({ value, name: texts.theme[value] }))}
        now={theme}
        onChoose={chooseTheme}
      />
      <Choice
        legend={bars.legend}
        name="settings-bar"
        options={BARS}
        now={bar}
        onChoose={chooseBottomBar}
      />
    </SettingsSection>
  )
}

type ChoiceProps<Value extends string> = {
  legend: string
  name: string
  options: { value: Value; name: string }[]
  now: Value
  onChoose: (value: Value) => void
}

function Choice<Value extends string>({
  legend,
  name,
  options,
  now,
  onChoose,
}: ChoiceProps<Value>) {
  return (
    <fieldset className="choice">
      <legend>{legend}</legend>
      <div className="segmented">
        {options.map((option) => (
          <label key={option.value}>
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === now}
              onChange={() => onChoose(option.value)}
            />
            {option.name}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
