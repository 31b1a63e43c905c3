// Choices of which one is taken, each on a line of its own with room for a word about it.
import { useEffect, useId, useState } from 'react'

type OptionsProps<Value extends string> = {
  legend: string
  options: readonly { value: Value; name: string; hint?: string }[]
  /** What is kept; the choice is shown at once, and again as it was when it could not be kept. */
  now: Value
  onChoose: (value: Value) => void
}

export function Options<Value extends string>({
  legend,
  options,
  now,
  onChoose,
}: OptionsProps<Value>) {
  const group = useId()
  const [shown, setShown] = useState(now)
  useEffect(() => setShown(now), [now])
  return (
    <fieldset className="options">
      <legend>{legend}</legend>
      {options.map(({ value, name, hint }) => (
        <label key={value} className="option">
          <input
            className="option__mark"
            type="radio"
            name={group}
            value={value}
            checked={value === shown}
            onChange={() => {
              setShown(value)
              onChoose(value)
            }}
          />
          <span>
            {name}
            {hint && <small className="hint">{hint}</small>}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
