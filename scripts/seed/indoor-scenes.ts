// Scenes of rooms, houses and things (scenes.ts).
import {
  BUTTER,
  CREAM,
  type Dice,
  disc,
  glow,
  HEIGHT,
  NIGHT,
  PERSIMMON,
  PETROL,
  PLUM,
  r,
  rect,
  ridge,
  shape,
  sky,
  stars,
  stroke,
  TEAL,
  times,
  WIDTH,
} from './brush.ts'

export function windows(dice: Dice): string {
  const lit = Math.floor(dice.between(4, 40))
  return [
    sky('#0a1f28', '#15404c'),
    stars(dice, 50, 160),
    rect(180, 120, 1240, 780, '#0f3440'),
    times(50, (index) => {
      const [x, y] = [240 + (index % 10) * 116, 175 + Math.floor(index / 10) * 138]
      const isLit = index === lit || dice.chance(0.12)
      const lamp = isLit
        ? disc(x + 58, y + 50, 12, PERSIMMON) + rect(x + 55, y + 60, 6, 30, PERSIMMON)
        : ''
      return (
        (isLit ? glow(x + 38, y + 45, 90) : '') +
        rect(x, y, 76, 92, isLit ? BUTTER : '#184551', 'rx="4"') +
        lamp
      )
    }),
  ].join('')
}

export function lamp(dice: Dice): string {
  const x = dice.between(560, 1040)
  return [
    sky('#0b2630', '#1b5560'),
    glow(x, 470, 520),
    shape(
      `M${r(x - 60)},390 L${r(x - 420)},900 H${r(x + 420)} L${r(x + 60)},390 Z`,
      BUTTER,
      'opacity="0.16"',
    ),
    shape(
      `M${r(x - 70)},270 h140 l80,150 h-300 Z`,
      dice.pick([PERSIMMON, BUTTER, '#d8cfae'] as const),
    ),
    stroke(`M${r(x)},420 v300`, '#e8d9ae', 14),
    rect(0, 720, WIDTH, 180, '#3f2a2b'),
    shape(`M${r(x - 110)},720 q110,-50 220,0 Z`, '#e8d9ae'),
    times(5, (index) =>
      rect(
        x + dice.between(160, 190) + index * 10,
        704 - index * 26,
        dice.between(210, 280),
        24,
        dice.pick([TEAL, PLUM, CREAM, PERSIMMON] as const),
        'rx="3"',
      ),
    ),
    disc(x - 330, 690, 44, '#d8e0d0'),
    rect(x - 374, 690, 88, 34, '#d8e0d0', 'rx="10"'),
  ].join('')
}

export function table(dice: Dice): string {
  const thing = (x: number, y: number): string =>
    dice.pick([
      () =>
        disc(x, y, 92, CREAM) +
        disc(x, y, 66, '#e9dcb4') +
        disc(x + 12, y - 8, 30, '#f0a845') +
        disc(x + 12, y - 8, 46, '#fff', 0.35),
      () =>
        disc(x, y, 66, '#d9ded2') +
        disc(x, y, 50, '#4a2d22') +
        stroke(`M${r(x + 62)},${r(y - 20)} q60,20 0,44`, '#d9ded2', 14),
      () =>
        `<ellipse cx="${r(x)}" cy="${r(y)}" rx="130" ry="78" fill="#c98f4e"/>${times(4, (index) => stroke(`M${r(x - 80 + index * 46)},${r(y - 42)} q26,40 0,82`, '#f0d39a', 8))}`,
      () => disc(x, y, 52, PERSIMMON) + stroke(`M${r(x)},${r(y - 48)} q8,-34 40,-36`, '#2f5c4a', 8),
      () =>
        rect(x - 80, y - 60, 160, 120, '#17424d', 'rx="6"') +
        rect(x - 68, y - 48, 136, 96, CREAM, 'rx="3"') +
        times(4, (line) => rect(x - 50, y - 30 + line * 20, 100 - line * 14, 4, '#8a9a94')),
    ] as const)()
  return [
    rect(0, 0, WIDTH, HEIGHT, dice.pick(['#8f5a3c', '#2a5d66', '#b98a54'] as const)),
    times(9, (index) =>
      stroke(
        `M0,${r(index * 108 + dice.between(0, 40))} q400,${r(dice.between(-14, 14))} 800,0 t800,0`,
        '#000',
        3,
        'opacity="0.13"',
      ),
    ),
    `<g transform="rotate(-6 800 450)">${rect(300, 120, 1000, 660, CREAM, 'opacity="0.85"')}${times(9, (index) => rect(300, 150 + index * 72, 1000, 12, PERSIMMON, 'opacity="0.35"'))}</g>`,
    times(6, (index) =>
      thing(
        360 + (index % 3) * 420 + dice.between(-50, 50),
        270 + Math.floor(index / 3) * 340 + dice.between(-40, 40),
      ),
    ),
  ].join('')
}

export function clock(dice: Dice, shift: number): string {
  const [x, y, radius] = [dice.between(620, 980), 450, 300]
  const hand = (turn: number, length: number, width: number, colour: string): string => {
    const angle = turn * 2 * Math.PI - Math.PI / 2
    return stroke(
      `M${r(x)},${r(y)} L${r(x + Math.cos(angle) * length)},${r(y + Math.sin(angle) * length)}`,
      colour,
      width,
    )
  }
  const hour = dice.between(0, 1)
  return [
    sky('#173f4b', '#0b2530'),
    times(40, () =>
      disc(
        dice.between(0, WIDTH),
        dice.between(0, HEIGHT),
        dice.between(6, 40),
        dice.pick([TEAL, PETROL, PLUM]),
        0.35,
      ),
    ),
    disc(x, y, radius + 34, '#8f6a35'),
    disc(x, y, radius, CREAM),
    times(60, (index) => {
      const [angle, isHour] = [(index / 60) * 2 * Math.PI, index % 5 === 0]
      const inner = radius - (isHour ? 46 : 24)
      return stroke(
        `M${r(x + Math.cos(angle) * inner)},${r(y + Math.sin(angle) * inner)} L${r(x + Math.cos(angle) * (radius - 12))},${r(y + Math.sin(angle) * (radius - 12))}`,
        NIGHT,
        isHour ? 10 : 4,
      )
    }),
    hand(hour, 160, 20, NIGHT),
    hand((hour * 12) % 1, 240, 12, NIGHT),
    hand(shift, 256, 5, PERSIMMON),
    disc(x, y, 20, PERSIMMON),
  ].join('')
}

export function library(dice: Dice): string {
  const shelf = (y: number): string => {
    let books = ''
    for (let x = 40; x < WIDTH - 60; ) {
      const [width, height] = [dice.between(22, 62), dice.between(130, 194)]
      const fill = dice.pick([
        PETROL,
        TEAL,
        PERSIMMON,
        BUTTER,
        PLUM,
        '#c9b98a',
        '#2f5c4a',
        '#8d3f33',
      ] as const)
      books +=
        rect(x, y - height, width, height, fill, 'rx="3"') +
        rect(x + 4, y - height + 24, width - 8, 5, CREAM, 'opacity="0.6"')
      x += width + 3 + (dice.chance(0.09) ? dice.between(30, 90) : 0)
    }
    return books + rect(0, y, WIDTH, 20, '#4d3226')
  }
  return (
    rect(0, 0, WIDTH, HEIGHT, '#2b1d1a') +
    times(4, (index) => shelf(212 + index * 222)) +
    glow(dice.between(300, 1300), dice.between(100, 700), 420)
  )
}

export function arches(dice: Dice): string {
  return [
    sky('#e9c58c', '#f6e7c4'),
    disc(dice.between(300, 1300), 200, 90, PERSIMMON),
    times(5, (index) => {
      const x = index * 330 - 20
      const door = `M${r(x + 60)},900 v-400 a105,130 0 0 1 210,0 v400 Z`
      return (
        rect(x, 260 + dice.between(-20, 20), 330, 640, index % 2 ? '#c77a4c' : '#d08a58') +
        shape(door, PETROL) +
        disc(x + 165, 700, 6, BUTTER) +
        (dice.chance(0.5)
          ? shape(`M${r(x + 110)},900 q55,-160 110,0 Z`, '#2f6a4f')
          : glow(x + 165, 640, 90))
      )
    }),
    times(22, (index) => shape(`M${r(index * 76)},262 l38,-44 l38,44 Z`, '#a85f38')),
  ].join('')
}

export function tiles(dice: Dice): string {
  const size = 160
  const colours = [PETROL, TEAL, BUTTER, PERSIMMON, CREAM, PLUM] as const
  const tile = (x: number, y: number): string => {
    const [ground, ink] = [dice.pick(colours), dice.pick(colours)]
    const turn = dice.pick([0, 90, 180, 270] as const)
    const motif = dice.pick([
      `M0,0 h${size} a${size},${size} 0 0 1 -${size},${size} Z`,
      `M0,0 L${size},${size} L0,${size} Z`,
      `M0,80 a80,80 0 0 1 160,0 Z`,
    ] as const)
    return `<g transform="translate(${x} ${y}) rotate(${turn} 80 80)">${rect(0, 0, size, size, ground)}${shape(motif, ink)}${disc(80, 80, dice.between(6, 30), dice.pick(colours))}</g>`
  }
  return times(60, (index) => tile((index % 10) * size, Math.floor(index / 10) * size))
}

export function train(dice: Dice, shift: number): string {
  const start = -500 + shift * 900
  return [
    sky('#071a22', '#2d6670'),
    stars(dice, 120),
    disc(1260, 190, 66, CREAM),
    ridge(dice, 560, 70, '#0f3540'),
    rect(0, 590, WIDTH, 34, '#091d25'),
    times(9, (index) =>
      shape(
        `M${index * 190 - 40},900 v-280 h190 v280 h-40 v-120 a55,70 0 0 0 -110,0 v120 Z`,
        '#0a222b',
      ),
    ),
    times(6, (car) => {
      const x = start + car * 262
      return (
        rect(x, 516, 250, 72, '#1f4d58', 'rx="10"') +
        times(6, (index) => rect(x + 18 + index * 38, 532, 26, 28, BUTTER)) +
        rect(x + 8, 640, 234, 6, BUTTER, 'opacity="0.25"')
      )
    }),
  ].join('')
}
