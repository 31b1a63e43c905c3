// What Pia Lindqvist wrote: walks, maps and weather. Only data.
import type { SeedPost } from './people.ts'

export const PIA_POSTS: SeedPost[] = [
  {
    author: 'pia',
    title:
      'An incomplete account of everything I saw, heard, misheard, lost, found and was offered to eat on the way from the last stop of the number 9 tram to the sea, which is eleven kilometres by the map and took me from breakfast until the lighthouse',
    daysAgo: 0.9,
    scene: 'hills',
    type: 'jpeg',
    likedBy: ['wiebke', 'noor', 'amara'],
    content: `<p><strong>Saw:</strong> a heron on a shopping trolley, each lending the other some dignity. A field of something blue. Four men carrying a rowing boat along a road, upside down, so that it had eight legs and walked.</p>
<p><strong>Heard:</strong> a lark. A second lark correcting the first. Through an open kitchen window, a woman saying with great firmness, "No, <em>you</em> are the horse."</p>
<p><strong>Misheard:</strong> a signpost, if that is possible. I read <em>Slow Children</em> and did as I was told.</p>
<h2>Lost and found</h2>
<ul><li>Lost: the path, twice. A glove. An argument with a bullock.</li><li>Found: a different glove. It is a better one, but for the same hand.</li></ul>
<h2>Offered to eat</h2>
<p>An apple, over a wall, by nobody: an arm held it out, waited until I had taken it, and withdrew. Half a fish sandwich, by a boy who had looked into it. And at the very end, on the harbour steps, when my feet had stopped speaking to me, a paper of chips from two old women in a parked car, who wound the window down four centimetres, passed them out, and wound it up again, on account of the wind.</p>
<p>Then the lighthouse came on. It was not for me, but I was in the way of it, and for two seconds in every ten I was the best-lit person in the county.</p>`,
  },
  {
    author: 'pia',
    title: 'Where the map says "liable to flooding"',
    daysAgo: 7.6,
    scene: 'map',
    type: 'png',
    likedBy: ['tobias', 'wiebke', 'noor', 'pia'],
    content: `<p>It is printed in small blue italics across four fields and a lane. I have walked there for years and never once seen it flood. On Sunday it did, and I understood that the map had simply been more patient than I was.</p>
<p>The lane went in on one side and came out on the other, the way a sentence goes on after a bracket. Hedges stood up to their waists. Someone had left a gate shut, and the gate was holding back nothing at all, on both sides, with perfect conviction.</p>
<blockquote><p>A map is a letter from people who stood here longer than you.</p></blockquote>
<p>I took my boots off and waded. In the middle it was completely quiet, and warmer than I had expected, and I could see the road surface under me with its white line, still telling everybody to keep left.</p>`,
  },
  {
    author: 'pia',
    title: 'Cloud diary, one week',
    daysAgo: 23.4,
    scene: 'mountains',
    type: 'jpeg',
    likedBy: ['amara'],
    content: `<table><thead><tr><th scope="col">Day</th><th scope="col">Sky</th><th scope="col">Resembled</th></tr></thead><tbody><tr><td>Monday</td><td>stratus, low</td><td>the inside of an envelope</td></tr><tr><td>Tuesday</td><td>cumulus, scattered</td><td>a committee</td></tr><tr><td>Wednesday</td><td>none</td><td>suspicious</td></tr><tr><td>Thursday</td><td>altocumulus</td><td>a tray of rolls, just out</td></tr><tr><td>Friday</td><td>cumulonimbus</td><td>my old headmistress, arriving</td></tr><tr><td>Saturday</td><td>nimbostratus</td><td>Saturday</td></tr><tr><td>Sunday</td><td>cirrus</td><td>somebody's first try at writing an S</td></tr></tbody></table>
<p>The rule I set myself was to look up at eight, at noon and at six, and to write down the first thing that came to mind. By Friday I had stopped needing the alarm. By Sunday a man at the bus stop asked me what I was looking at, and then looked too, and the bus came, and neither of us got on.</p>`,
  },
  {
    author: 'pia',
    title: 'Equipment I carry and have never used',
    daysAgo: 46.3,
    scene: 'tiles',
    type: 'jpeg',
    likedBy: ['tobias', 'noor'],
    content: `<ol><li><strong>A whistle.</strong> Six blasts, then wait a minute. I practised once, in the cellar, and three neighbours came.</li><li><strong>A foil blanket.</strong> Folded to the size of a sandwich. I have nearly eaten it.</li><li><strong>Eleven metres of red cord.</strong> The person in the shop said everybody takes ten and then wishes for one more. I do not yet know what for.</li><li><strong>A spare pencil,</strong> for the moment when the pencil goes. The pencil has not gone since 2011.</li><li><strong>A note with my sister's telephone number,</strong> in a bag in a bag. In a year of very good walking nobody has had to ring her. She rings me, to ask whether anybody has.</li></ol>
<p>All together it comes to 640 grams. I have weighed the alternative as well, which is to leave it all at home. It was heavier.</p>`,
  },
  {
    author: 'pia',
    title: 'Directions from the woman at the farm',
    daysAgo: 80.1,
    scene: 'hills',
    type: 'jpeg',
    likedBy: ['wiebke', 'amara', 'tobias'],
    content: `<p>"You go down to where the chapel was, and turn left. If you get to where the shop used to be, you have gone too far. Keep on until there's a smell of pigs. There aren't any pigs. Then you'll see a white house, only they have painted it, and it's after that.</p>
<p>"Don't take the new road. It's not the one that looks new; that's only been mended. The new one looks old, it came in with the railway, and it doesn't go anywhere, because the railway went.</p>
<p>"You can't miss it. If you do miss it, ask for Gwen. She died, but they'll know where you mean."</p>
<h2>Remarks</h2>
<p>I did not miss it. Every word of it was correct. I have bought the newest map there is of that valley, and compared with her it is a rumour.</p>`,
  },
  {
    author: 'pia',
    title: 'Night walk with a lamp switched off',
    daysAgo: 167.8,
    scene: 'train',
    type: 'gif',
    likedBy: ['noor', 'tobias', 'wiebke', 'amara'],
    content: `<p>The trick is to leave it in your pocket. Lit, a lamp shows you a circle and hides a country. Unlit, it takes about twenty minutes, and then the path comes up out of the ground by itself, a little paler than the rest, like a thing remembered.</p>
<p>You walk with your feet. You notice that you have a left side and a right side. An owl went over, and what I noticed was not a sound but a missing piece of sound, the width of two arms.</p>
<p>Towards eleven the last train crossed the viaduct at the end of the valley, all its windows in a row, and every person in it was sitting in the light and could see nothing but themselves. I waved, of course. One does.</p>
<p>When I got home I switched the lamp on, to look for the keyhole. It seemed tremendously loud.</p>`,
  },
]
