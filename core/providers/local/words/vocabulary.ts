// The words that the icon set does not know itself, or knows otherwise than people mean them. Two-word names are joined by "_".

/** icon: words; icon: words. What stands here wins over the names of the icons and over emojilib. */
export const THINGS = `
automobile: car automobile sedan limousine; sport-utility-vehicle: jeep suv offroader; racing-car: sports_car racecar race_car formula_one
oncoming-taxi: taxi cab; minibus: van campervan camper_van camper motorhome caravan; delivery-truck: truck lorry
fire-engine: fire_truck fire_engine; bus: bus school_bus coach; locomotive: train steam_train locomotive steam_engine
high-speed-train: bullet_train express_train; tram-car: tram streetcar trolley; motor-scooter: scooter vespa moped; bicycle: bicycle bike
sailboat: boat sailboat sailing_boat yacht sailing_ship; ship: ship cruise_ship ocean_liner steamer
sailing-ship: pirate_ship galleon tall_ship frigate; speedboat: speedboat; canoe: canoe kayak rowing_boat rowboat gondola raft dinghy
submarine: submarine; airplane: aeroplane airplane plane jet aircraft airliner; hot-air-balloon: hot_air_balloon hot-air_balloon
balloon: balloon; rocket: rocket spaceship spacecraft starship space_ship space_shuttle; flying-saucer: ufo flying_saucer; anchor: anchor
dog: dog puppy hound golden_retriever labrador corgi dachshund terrier husky beagle; guide-dog: guide_dog; poodle: poodle
cat: cat kitten kitty tomcat; cow: cow calf cattle; ewe: sheep lamb ewe; horse: horse pony foal stallion mare; pig: pig piglet
chicken: hen chicken; baby-chick: chick chicken_chick; rooster: rooster cockerel; duck: duck duckling mallard
bird: bird robin sparrow finch songbird bluebird hummingbird seagull gull kingfisher; blackbird: crow raven blackbird magpie
dove: dove pigeon; eagle: eagle hawk falcon vulture; owl: owl; rabbit: rabbit bunny hare; mouse: mouse; deer: deer stag doe fawn reindeer
bear: bear grizzly; panda: panda; raccoon: raccoon; chipmunk: squirrel chipmunk; lion: lion lioness; tiger: tiger
leopard: leopard cheetah jaguar panther; monkey: monkey ape chimpanzee; camel: camel dromedary; t-rex: dinosaur t-rex tyrannosaurus trex
sauropod: brontosaurus sauropod; crocodile: crocodile alligator; frog: frog toad; turtle: turtle tortoise
lizard: lizard gecko iguana chameleon; whale: whale humpback_whale blue_whale; orca: orca; fish: fish trout salmon goldfish carp
tropical-fish: tropical_fish clownfish; crab: crab; honeybee: bee honeybee bumblebee; lady-beetle: ladybird ladybug; spider: spider
spider-web: web cobweb spiderweb spider_web; wing: wing; paw-prints: pawprint paw_print; rose: rose; tulip: tulip; sunflower: sunflower
cherry-blossom: cherry_blossom sakura blossom; blossom: flower daisy wildflower marigold; hibiscus: hibiscus orchid lily
hyacinth: lavender hyacinth bluebell; lotus: lotus lily_pad water_lily; bouquet: bouquet; potted-plant: plant houseplant pot_plant
herb: herb fern; sheaf-of-rice: wheat barley rye grain crop; basket: basket picnic; fishing-pole: fishing; yarn: knitting
deciduous-tree: tree oak maple_tree oak_tree birch apple_tree orchard; evergreen-tree: pine pine_tree fir fir_tree spruce conifer evergreen
palm-tree: palm palm_tree coconut_tree; maple-leaf: maple_leaf; fallen-leaf: leaf autumn_leaf; cactus: cactus; mushroom: mushroom toadstool
grapes: grape vineyard; red-apple: apple fruit; pear: pear; lemon: lemon; strawberry: strawberry; cherries: cherry; tomato: tomato
carrot: carrot vegetable; watermelon: watermelon; chestnut: chestnut acorn; bread: bread loaf toast; cheese-wedge: cheese
hot-beverage: coffee tea cappuccino espresso latte cocoa hot_chocolate cup mug; teapot: teapot pot_of_tea kettle
wine-glass: wine red_wine white_wine; beer-mug: beer ale; glass-of-milk: milk; bottle-with-popping-cork: champagne bottle
birthday-cake: birthday_cake cake; shortcake: slice_of_cake cheesecake; steaming-bowl: ramen noodle noodles soup; spaghetti: spaghetti pasta
falafel: falafel meatball; hamburger: hamburger burger cheeseburger; french-fries: fries french_fries chips; green-salad: salad
sushi: sushi; poultry-leg: roast_chicken drumstick; ice-cream: ice_cream gelato; soft-ice-cream: ice_cream_cone; doughnut: donut doughnut
cookie: cookie biscuit; honey-pot: honey; candy: candy sweet sweets; pot-of-food: stew pot
fork-and-knife-with-plate: meal dinner lunch supper plate; egg: egg; pancakes: pancake; taco: taco
house: house home cottage cabin farmhouse bungalow; house-with-garden: greenhouse villa mansion; houses: village town hamlet
derelict-house: haunted_house ruin ruins abandoned_house; hut: hut shack hovel; barn: barn farm stable; castle: castle palace fortress
japanese-castle: japanese_castle pagoda; shinto-shrine: shrine torii; hindu-temple: temple; church: church chapel cathedral; mosque: mosque
classical-building: museum parthenon courthouse; office-building: skyscraper office_building apartment apartment_building office
tokyo-tower: eiffel_tower tower tokyo_tower radio_tower; statue-of-liberty: statue_of_liberty statue
department-store: shop store bookshop bakery supermarket mall bookstore market; school: school university; hospital: hospital
stadium: stadium football_stadium arena; factory: factory; lighthouse: lighthouse; windmill: windmill; bridge: bridge stone_bridge aqueduct; pyramid: pyramid
island: island isle islet; igloo: igloo; waterfall: waterfall cascade; tent: tent; circus-tent: circus; camping: campsite
treehouse: treehouse tree_house; fountain: fountain; snow-capped-mountain: matterhorn; mount-fuji: mount_fuji fuji; volcano: volcano
fire: campfire fire bonfire fireplace flame; candle: candle; rock: rock boulder stone; desert-island: desert_island; snowman: snowman
tornado: tornado twister; fireworks: fireworks firework; kite: kite; umbrella: umbrella parasol; crown: crown
gem-stone: gem diamond jewel crystal; key: key; locked: lock padlock; mantelpiece-clock: clock antique_clock grandfather_clock
alarm-clock: alarm_clock; watch: watch wristwatch; books: books bookshelf library; open-book: book novel diary; camera: camera
laptop: laptop computer; desktop-computer: monitor; guitar: guitar; piano: piano grand_piano; violin: violin cello; drum: drum drums
trumpet: trumpet; telescope: telescope; globe-showing-europe-africa: globe earth planet_earth world; ringed-planet: planet saturn
light-bulb: lamp desk_lamp bulb lantern light_bulb street_lamp; running-shoe: shoe sneaker trainer; womans-boot: boot; top-hat: hat
backpack: backpack rucksack; coin: gold coin; money-bag: treasure money; treasure-chest: treasure_chest
chess-pawn: chess chessboard chess_board; soccer-ball: football soccer soccer_ball; yarn: yarn ball_of_yarn; teddy-bear: teddy teddy_bear
wrapped-gift: gift present; christmas-tree: christmas_tree; jack-o-lantern: jack-o'-lantern jack-o-lantern pumpkin; ghost: ghost
robot: robot android; alien: alien; skull: skull; scroll: map treasure_map message letter; envelope: envelope; chair: chair
couch-and-lamp: sofa couch armchair; bed: bed crib cradle; door: door; window: window; mirror: mirror; red-paper-lantern: paper_lantern
hourglass-done: hourglass; crystal-ball: crystal_ball; dragon: dragon; unicorn: unicorn; man-standing: man gentleman; woman-standing: woman lady; boy: boy
girl: girl; child: child kid; person-standing: person people figure friend; person-standing+man-standing+woman-standing+person-standing: crowd; man-standing+woman-standing+child: family
person-walking: loneliness solitude; baby: baby infant toddler newborn; older-person: elder; old-man: old_man grandfather grandpa
old-woman: old_woman grandmother grandma granny; people-hugging: couple lovers hug; cook: chef cook; health-worker: doctor nurse surgeon
firefighter: firefighter fireman; police-officer: policeman police_officer policewoman; teacher: teacher professor; farmer: farmer gardener
astronaut: astronaut cosmonaut; artist: painter artist; singer: singer musician; singer+guitar: guitarist
technologist: programmer developer hacker engineer; scientist: scientist; student: student pupil; pilot: pilot; judge: judge
detective: detective spy; construction-worker: builder construction_worker; man-mage: wizard sorcerer mage magician
woman-mage: witch sorceress; woman-merpeople: mermaid; man-elf: elf; woman-fairy: fairy; man-vampire: vampire dracula; man-zombie: zombie
ninja: ninja; prince: prince king; princess: princess queen; woman-with-veil: bride; man-in-tuxedo: groom
woman-dancing: ballerina dancer woman_dancing; man-dancing: man_dancing; person-surfing: surfer; person-running: runner jogger
person-biking: cyclist biker; person-swimming: swimmer; person-climbing: climber; person-golfing: golfer; person-rowing-boat: rower
person-in-lotus-position: yoga meditation; skier: skier; snowboarder: snowboarder; horse-racing: jockey
santa-claus: santa santa_claus father_christmas; clown-face: clown; cowboy-hat-face: cowboy; pirate-flag: pirate; guard: guard soldier
knight: knight; red-heart: love heart romance affection; dove: peace freedom liberty; hourglass-done: time passage_of_time
musical-notes: music song melody symphony jazz; smiling-face-with-smiling-eyes: happiness joy smile happy_face
trophy: success victory achievement triumph; light-bulb: idea inspiration innovation; thought-balloon: imagination thought daydream dream
zzz: sleep; seedling: hope growth beginning; brain: mind intelligence; cyclone: chaos confusion; puzzle-piece: puzzle problem
handshake: friendship trust teamwork; balance-scale: justice balance; shield: courage protection; broken-heart: heartbreak
crying-face: sadness grief sorrow; high-voltage: energy power electricity; compass: adventure journey
`;

/** Not things that stand somewhere, but how the whole picture is. */
export const TIMES = {
  dawn: "dawn sunrise morning daybreak breakfast",
  day: "day noon midday afternoon sunny daylight",
  sunset: "sunset dusk twilight golden_hour evening",
  night: "night midnight nighttime moonlight starlight nocturnal bedtime halloween",
} as const;

export const WEATHERS = {
  rain: "rain rainy raining drizzle shower",
  storm: "storm stormy thunderstorm thunder lightning tempest hurricane",
  snow: "snow snowy snowing snowfall blizzard",
  fog: "fog foggy mist misty haze hazy",
  wind: "wind windy breeze",
  cloudy: "cloud cloudy overcast",
  rainbow: "rainbow",
  aurora: "aurora northern_lights aurora_borealis",
} as const;

export const SEASONS = {
  spring: "spring springtime april",
  summer: "summer summertime july august",
  autumn: "autumn fall october november thanksgiving",
  winter: "winter wintry december christmas frost frozen ice icy",
} as const;

export const PLACES = {
  space: "space outer_space galaxy universe cosmos milky_way nebula orbit mars",
  underwater: "underwater coral_reef reef seabed deep_sea ocean_floor",
  beach: "beach shore coast seaside coastal tropical",
  sea: "sea ocean wave waves harbour harbor iceberg bay",
  lake: "lake pond lagoon",
  river: "river stream creek waterhole canal",
  jungle: "jungle rainforest tropics bamboo",
  forest: "forest woods wood woodland grove",
  desert: "desert dune sand sahara oasis egypt savanna savannah",
  mountains: "mountain mountains alps peak summit cliff canyon rooftop_of_the_world",
  arctic: "arctic antarctica pole glacier tundra iceberg",
  city: "city skyline city_skyline skyscrapers downtown street tokyo paris london york new_york berlin lisbon urban metropolis alley rooftop road",
  park: "park garden backyard playground",
  hills: "hill hills valley countryside vineyard kansas",
  meadow: "meadow field grass farm prairie pasture farmland",
  room: "room table kitchen shelf desk counter cafe restaurant studio hall windowsill indoors bedroom library porch stage class classroom background wall pillow",
  sky: "sky clouds heaven air",
} as const;

/** Said beside a thing, they make the backdrop; alone they are the picture. */
export const LIGHTS = {
  sun: "sun sunshine",
  moon: "moon full_moon crescent_moon",
  stars: "star stars starry stargazing",
} as const;

export const COLORS: readonly (readonly [words: string, color: string])[] = [
  ["red crimson scarlet ruby", "#d6303a"],
  ["orange amber", "#f2862b"],
  ["yellow golden lemon-yellow blonde", "#f4c22b"],
  ["green emerald lime-green mint", "#36a35a"],
  ["turquoise teal cyan aqua", "#1fa9a6"],
  ["blue azure cobalt navy", "#2f6bd0"],
  ["purple violet lilac indigo", "#7d48c4"],
  ["pink magenta fuchsia", "#ee6aa7"],
  ["brown chestnut-brown", "#8a5a35"],
  ["black ebony", "#2d2b33"],
  ["white ivory", "#f4f1ea"],
  ["grey gray silver", "#9aa0a8"],
];

export const NUMBERS =
  "two:2 three:3 four:4 five:5 six:6 seven:7 eight:8 nine:9 ten:10 eleven:11 twelve:12 both:2 several:4 many:7 some:3 few:3 countless:12 numerous:7 lots:7 hundred:12 thousand:12";

/** "a … of foxes": how many that is. */
export const GROUPS =
  "pair:2 couple:2 trio:3 dozen:12 handful:4 group:4 family:3 flock:5 herd:5 pack:4 school:6 swarm:7 bunch:3 pile:4 stack:1 tower:4 field:9 basket:5 row:4 line:4 crowd:8 forest:9 pride:3 litter:4 team:4 bowl:1 cup:1 mug:1 glass:1 plate:1 slice:1 piece:1 jar:1 pot:1 bottle:1 bag:1 box:3 bouquet:1 vase:3 sound:1 feeling:1 power:1 passage:1 dream:1 lot:7 number:5 collection:6 chest:1 full:5";

/** What people may be doing, as icons are called: man-running. */
export const DOINGS =
  "running:running jogging:running walking:walking dancing:dancing surfing:surfing swimming:swimming climbing:climbing biking:biking cycling:biking juggling:juggling golfing:golfing rowing:rowing-boat kneeling:kneeling shrugging:shrugging cooking:cook painting:artist singing:singer meditating:in-lotus-position teaching:teacher farming:farmer";

/** Irregular plurals. */
export const PLURALS =
  "children:child men:man women:woman people:person geese:goose mice:mouse feet:foot teeth:tooth leaves:leaf wolves:wolf knives:knife loaves:loaf calves:calf lives:life cacti:cactus oxen:ox fries:fries ashes:ash shoes:shoe horses:horse houses:house roses:rose noses:nose";

/** What emojilib or an icon's name would take for things, and what is no loss when it is not drawn. */
export const PASSED_OVER =
  "the and with for from into over under above below behind beside near next between through across against along around out off onto inside outside upon while her his its their our your this that these those there here very too also just only " +
  "are was were has have had being been does did can will would like as at by in is it of on or to an up down my me we he she they them him you all each every no not " +
  "picture image photo photograph painting drawing illustration render portrait scene view style art artwork poster background foreground detailed beautiful realistic cinematic minimalist watercolor watercolour cartoon digital high quality " +
  "old new young tiny small little big large huge giant great long short tall high low deep wide narrow round flat full empty open closed quiet calm lonely peaceful happy sad angry cute funny pretty lovely magical mystical ancient antique vintage modern classic traditional wild free soft hard hot cold warm cool fresh juicy sweet sour extra dark light bright colourful colorful glowing shining sparkling shiny dirty clean wet dry fast slow late early stone wooden golden-brown steep mossy frozen distant far close true pure simple perfect single alone good bad best first last own same other more most lots real front back left right middle center side top bottom edge part kind number size color colour two three four five six seven eight nine ten one half pair " +
  "day year hour minute week month weekend today tomorrow home-made way thing something nothing everything someone step line shape body head face hand hands hair eye eyes arm leg sound feeling power passage business center style future past life death end start love-of " +
  "man-made human male female gender worker service job office-job play playing point offer show set go stop run jump fly walk talk look see watch-over feel find get give hold make take work open-air date flash burn rest order sale price count dish serve store-bought meal-time food drink animal nature plant-based sport game music-making party holiday travel vehicle transport building architecture object tool symbol " +
  "after before during about again japan japanese china chinese italy italian mexico mexican india france french america american england english germany german russia greece african asian european western eastern";
